"""How a table continues when its host is gone: elections, fork choice, claimed terms.

Start with `election.py`. resources/spec/succession.md explains the rules.
"""
