"""The pure game of LanUNO: cards, rulesets, the engine of a round, matches, and rules as text.

`engine` plays one round, `match` counts rounds, and `rulebook` describes the rules to people. Start
with `ruleset.py`, `settings.py` (all facts about each setting) and `engine/round.py`. Cards are in
`cards.py` and `decks.py`, their effects in `engine/card_effects.py`, and the house rules in
`engine/house_rules`. Nothing here uses sockets, files, clocks, threads or randomness: shuffles and
opened cards come from outside. This file holds no code; import each class from the module that
defines it.
"""
