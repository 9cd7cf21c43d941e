"""The network layer: connections, discovery, diagnostics, and one node at a table.

`transport` makes connections, `discovery` finds tables, `diagnostics` looks for network problems,
and `runtime` drives a node of `lanuno.table` with real time, sockets and disk. Start with
`runtime/node_runtime.py`. Rule: no other package opens a socket, and nothing here knows the rules
of the game.
"""
