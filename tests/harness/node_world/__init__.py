"""Whole nodes under one seed: a simulated clock, network and disk, with faults and invariants.

Start with `world.py`, which runs the nodes. `faults.py` plays one table of a seed with everything
that goes wrong in it; `invariants.py` and the modules it uses say what must hold after every step;
`ending.py` says how a table must have ended. Nodes that lie are in `adversaries`.
"""
