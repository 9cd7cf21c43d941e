"""Authenticated connections: addresses, TLS, handshake, frames, limits on strangers, keepalive.

Start with `channel.py`, `connect.py` and `listener.py`. The messages sent over a connection are
defined in `lanuno.table.messages`.
"""
