"""Dishonest seats, hosts and nodes, and the fault that each attack proves.

`peer_attacks.py` and `host_attacks.py` are tables of everything that a log can prove;
`invalid_peers.py` lists what is only refused. `lies.py` and `forging.py` hold the lies themselves.
`lying_nodes.py` and `generated_host.py` are for a `World`, `lying_authors.py` for a `LogTable`.
The tests assert the outcome.
"""
