"""The lobby of a table, from the first seat to genesis, on the host's and on a peer's side.

Start with `host.py`. Once the log begins, `lanuno.table.node` takes over.
"""
