"""What a log and a transcript file hold: bodies, entries, genesis, votes, and their bytes.

Start with `bodies.py` and `entries.py`. What an entry means for the table belongs to
`lanuno.log.replay`.
"""
