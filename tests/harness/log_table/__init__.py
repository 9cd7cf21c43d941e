"""Tables at the level of the log: entries are signed and replayed, and no messages are sent.

Start with `log_table.py`: `LogTable` holds a replay and the keys of all seats, and plays on
automatically. `moments.py` finds moments of a match. Tests that need a host which receives messages
use `host_and_seats`.
"""
