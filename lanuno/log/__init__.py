"""The log of a table: how it is written, replayed and audited. Pure: bytes in, values out.

`format` defines the contents of a log, `round` follows one round of it, `replay` follows the whole
log, and `audit` returns the verdict afterwards. Start with `replay/replay.py`. `lanuno.store`
handles files.
"""
