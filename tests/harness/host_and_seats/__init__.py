"""One host role and the sessions of the seats in one process, without elections or lost disks.

`TableSim` plays a whole table over a fake network. `SmallTable` lets a test kill and restart a seat
at any step. `paused_table.py` stops a table at a moment, for tests of one session.
`simulated_lobby.py` is the lobby before the table begins. Whole nodes, which stand for election and
restart from their disk, are in `node_world`.
"""
