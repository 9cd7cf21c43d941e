"""What the program does today, recorded: a change of structure or of names must leave it as it is.

Each kind of golden output plays something under a seed and writes one line for everything that
comes out. A digest of these lines is recorded. `python -m tests.golden` checks, records and dumps.
"""
