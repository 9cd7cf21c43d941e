"""The house rules, one module for each or for a few that belong together.

A module has all that the rule is: when it can be chosen, what it makes legal or illegal, what it
does, and which sentences of the rulebook it adds or changes. Its words are in the catalogues
(`setting.<name>`, `house.<name>`), its switch is a field of `Ruleset`. Start with `house_rule.py`,
which has all that a house rule can change; `registry.py` lists the rules.
"""
