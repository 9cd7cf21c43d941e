"""Rounds of the pure rules, without a log: a table with open cards, rulesets by chance, scenarios.

`table_of_cards.py` drives an engine, `random_play.py` plays it by chance and `invariants.py` says
what holds meanwhile; `scenario_language` reads and plays `tests/rules/scenarios`.
"""
