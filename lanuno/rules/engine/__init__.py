"""One round of the game: state, acts and events, what is legal, and what each act does.

Start with `round.py`, whose `Round` is all that other packages drive. `card_effects.py` has what
each card does, `house_rules` a module for each house rule. Scores of a match, and who plays the
next round, belong to `lanuno.rules.match`.
"""
