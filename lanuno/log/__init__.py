"""The one log of a table: how it is written, replayed and audited. Pure: bytes in, values out.

`format` defines what a log holds, `round` follows one round of it, `replay` the whole log, and
`audit` gives the verdict afterwards. Start with `replay/replay.py`. `lanuno.store` handles files.
"""
