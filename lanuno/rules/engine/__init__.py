"""One round of the game: state, acts and events, what is legal, and what each act does.

Start with `round.py`, whose `Round` is all that other packages drive. Scores of a match, and who
plays the next round, belong to `lanuno.rules.match`.
"""
