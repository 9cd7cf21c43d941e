"""Rounds of the pure rules, without a log: a table with open cards, random rulesets, scenarios.

`table_of_cards.py` drives an engine, `random_play.py` plays it at random, `invariants.py` checks
every state; `scenario_language` reads and plays `tests/rules/scenarios`.
"""
