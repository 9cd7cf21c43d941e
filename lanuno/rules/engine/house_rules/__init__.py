"""The house rules: one module for each, or for a few that belong together.

A module defines everything about its rule: when it can be chosen, what it makes legal or illegal,
what it does, and which sentences of the rulebook it adds or changes. Its texts are in the
catalogues (`setting.<name>`, `house.<name>`), and its switch is a field of `Ruleset`. Start with
`house_rule.py`, which lists everything that a house rule can change; `registry.py` lists the rules.
"""
