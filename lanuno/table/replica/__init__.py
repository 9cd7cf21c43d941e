"""A node's copy of the log, and the seats that are played from it: keys, bodies, automatic steps.

Start with `replica.py`, then `seat.py`. Which of two logs counts belongs to
`lanuno.table.succession`.
"""
