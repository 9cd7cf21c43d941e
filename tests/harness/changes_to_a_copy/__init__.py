"""A copy of the project with additions, used as players and developers use the project.

`changed_project.py` makes the copy and runs its programs. `new_cards.py` adds two cards and a deck,
with the module `discard_all.py`.
"""
