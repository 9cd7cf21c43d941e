"""A node's copy of the log, and the seats played from it: keys, bodies, automatic steps.

Start with `replica.py`, then `seat.py`. `lanuno.table.succession` decides which of two logs counts.
"""
