"""A ruleset as rules that people can read, by id and numbers; the sentences are in resources/rules.

Start with `rulebook.py`. Nothing here decides what is legal.
"""
