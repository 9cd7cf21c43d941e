"""The terminal commands. No module here decides a rule or imports Qt.

Start with `parser.py`, which explains what a command is, and `host.py`, which is one. A command
parses its options, calls `lanuno.client` and prints what happens. What the window needs as well
belongs to `lanuno.client`.
"""
