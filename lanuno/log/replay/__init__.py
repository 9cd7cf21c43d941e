"""The state of a table, entry by entry: chain, authors, terms, absence, time, and the rounds.

Start with `replay.py`: `Replay` accepts or refuses each body. `lanuno.log.audit` judges whole
transcripts.
"""
