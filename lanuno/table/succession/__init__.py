"""How a table goes on when its host is gone: elections, fork choice, claimed terms.

Start with `election.py`. The rules are explained in resources/spec/succession.md.
"""
