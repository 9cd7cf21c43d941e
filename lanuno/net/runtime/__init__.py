"""Drive one lobby or one node with real time, sockets and disk.

Start with `node_runtime.py`. All decisions are made in `lanuno.table` and only carried out here.
"""
