"""Tables at the level of the log: entries are signed and replayed; nobody sends a message.

Start with `log_table.py`: `LogTable` holds a replay and everybody's keys, and plays on by itself.
`moments.py` finds moments of a match. What needs a host that receives messages is in
`host_and_seats`.
"""
