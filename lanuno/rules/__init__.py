"""The pure game of LanUNO: cards, rulesets, the engine of a round, matches, and rules as text.

`engine` plays one round, `match` counts rounds, `rulebook` describes the rules to people. Start
with `ruleset.py`, `settings.py` (what there is to know of each setting) and `engine/round.py`.
Cards are in `cards.py` and `decks.py`, what they do is in `engine/card_effects.py`, and the house
rules are in `engine/house_rules`. Nothing here knows sockets, files, clocks, threads or randomness:
shuffles and opened cards come from outside. This file holds no code; import the classes from the
module that defines them.
"""
