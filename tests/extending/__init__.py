"""Checks that "Cards, decks and house rules" in extending.md lists every step to add one.

The tests add cards, a deck and a house rule to a copy of the project, as a developer would, and use
them as players do; tests/app checks the window. The modules `play_*.py` run in the copy. The
additions are in `new_house_rule.py`, `skip_draws.py` and tests/harness/changes_to_a_copy.
"""
