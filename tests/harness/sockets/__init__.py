"""Real sockets on loopback: tests that leave nothing open, whole tables over TLS, raw packets.

`running.py` runs a coroutine and fails if a task or a socket is left open. `tables.py` plays a
table in one event loop. Programs that run as processes are in `processes`.
"""
