"""Recorded outputs of the program: changes of structure or of names must not alter them.

Each kind of golden output plays something under a seed and writes one line for every output. A
digest of these lines is recorded. `python -m tests.golden` checks, records and dumps them.
"""
