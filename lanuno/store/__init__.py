"""Files on this computer: profile and keys, journals, private sidecars, settings, resources.

There are no sockets here. Start with `paths.py` for the folders, and with `table_records.py` for
the files of a table.
"""
