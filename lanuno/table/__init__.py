"""A table as state machines without I/O: node, lobby, host role, replica and succession.

Start with `node.py`. The caller passes in the time. Outputs (send, store, connect, show) are data:
`outputs.py` defines them, and each list of outputs must be carried out in order. This package has
no sockets, files or clocks; they belong to `lanuno.net.runtime` and `lanuno.store`.
"""
