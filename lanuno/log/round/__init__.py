"""One round of a log, from its Open to its last attestation, and its checks.

`round_record.py` holds the state of the round; the other modules change it. Start with
`round_log.py`. `lanuno.log.replay` handles the chain, authors and terms.
"""
