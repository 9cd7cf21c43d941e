"""Rounds of the pure rules, without a log: a table with open cards, rulesets by chance, scenarios.

`table_of_cards.py` drives an engine; `scenario_language` reads and plays `tests/rules/scenarios`.
"""
