"""Authenticated connections: addresses, TLS, handshake, frames, limits on strangers, keepalive.

Start with `channel.py`, `connect.py` and `listener.py`. What is said over a connection is defined
in `lanuno.table.messages`.
"""
