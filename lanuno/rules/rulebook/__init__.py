"""A ruleset as rules that people can read, by id and numbers, to be told in any language.

Start with `rulebook.py`. Nothing here decides what is legal.
"""
