"""What "Cards, decks and house rules" in CONTRIBUTING.md says is all it takes to add one.

The tests add cards, a deck and a house rule to a copy of the project, as a developer would, and use
it as people do. `discard_all.py` and `skip_draws.py` are the modules that are added, `new_cards.py`
and `new_house_rule.py` the lines and texts; the modules `play_*.py` run in the copy.
"""
