"""The only package with sockets: connections, discovery, diagnostics, and one node at a table.

`transport` connects, `discovery` finds tables, `diagnostics` checks what is in the way,
`runtime` drives a node of `lanuno.table` with real time, sockets and disk. Start with
`runtime/node_runtime.py`. Nothing here knows the rules of the game.
"""
