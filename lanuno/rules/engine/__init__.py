"""One round of the game: its state, acts and events, what is legal, and what each act does.

Start with `round.py`, whose `Round` is all that other packages drive. `card_effects.py` holds the
effect of each card, and `house_rules` one module per house rule. The scores of a match, and who
plays the next round, belong to `lanuno.rules.match`.
"""
