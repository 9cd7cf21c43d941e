"""A copy of the project with something added to it, used as people and developers use a project.

`changed_project.py` makes the copy and runs its programs. `new_cards.py` adds two cards and a deck,
with the module `discard_all.py`.
"""
