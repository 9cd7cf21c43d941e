"""The lobby of a table, from the first seat to genesis: the host's side and a peer's side.

Start with `host.py`. Once the log has begun, `lanuno.table.node` takes over.
"""
