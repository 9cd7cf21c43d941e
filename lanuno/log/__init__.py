"""The one log of a table: bodies, entries, chain, codec, transcript format, replay and audit.

Pure: bytes in, values out. Files are the work of the store.
"""
