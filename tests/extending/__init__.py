"""What "Cards, decks and house rules" in CONTRIBUTING.md says is all it takes to add one.

The tests add cards, a deck and a house rule to a copy of the project, as a developer would, and use
it as people do; tests/app looks at its window. The modules `play_*.py` run in the copy. What is
added: `new_house_rule.py` with the module `skip_draws.py`, and tests/harness/changes_to_a_copy.
"""
