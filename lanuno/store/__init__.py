"""Files of this computer: profile and keys, journals, private sidecars, settings, resources.

No sockets here. Start with `paths.py` for the folders and `table_records.py` for a table.
"""
