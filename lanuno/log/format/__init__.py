"""The contents of a log and a transcript file: bodies, entries, genesis, votes, and their bytes.

Start with `bodies.py` and `entries.py`. `lanuno.log.replay` decides what an entry means for the
table.
"""
