"""A ruleset as rules for people to read: ids and numbers, to be worded in any language.

Start with `rulebook.py`. Nothing here decides what is legal.
"""
