"""Dishonest seats, hosts and nodes: what they do, and what they are then called.

`peer_attacks.py` and `host_attacks.py` are tables of everything that a log can prove, and
`invalid_peers.py` of what is only refused. `lies.py` and `forging.py` hold the lies themselves.
`lying_nodes.py` and `generated_host.py` are for a `World`, `lying_authors.py` for a `LogTable`.
What must come out is asserted by the tests.
"""
