"""Pure cryptography of the fair table: hashes, identities, group, secrets, the deal, its checks.

Rules of the package: no input or output, no clocks, no global randomness (it is passed in as
bytes), no knowledge of the game's rules, and no exception but `lanuno.dealing.errors.DealingError`
for bytes of other nodes. Start with `deal.py` and `passes.py`.
"""
