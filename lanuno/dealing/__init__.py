"""The cryptography of fair dealing: hashes, identities, the group, secrets, deals and their checks.

Everything here is pure. The package does no input or output, reads no clock, uses no global
randomness (callers pass random bytes in) and knows no rules of the game. Bytes from other nodes
raise nothing but `lanuno.dealing.errors.DealingError`. Start with `deal.py` and `passes.py`.
"""
