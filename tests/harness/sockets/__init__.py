"""Real sockets on loopback: tests that leave nothing open, whole tables over TLS, raw packets.

`running.py` runs a coroutine and fails if a task or a socket is left. `tables.py` plays a table in
one event loop. What runs as a program of its own is in `processes`.
"""
