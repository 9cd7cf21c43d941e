"""A table without input or output: one node, its lobby, host role, replica, and succession.

Start with `node.py`. Time is handed in; outputs (send, store, connect, show) are data, listed in
`outputs.py` in the order in which they must be carried out. No sockets, files or clocks: these
belong to `lanuno.net.runtime` and `lanuno.store`.
"""
