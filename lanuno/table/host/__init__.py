"""The host of a table: it orders the log, keeps the clocks, and sends out the entries.

Start with `role.py`. `lanuno.table.succession` decides which node becomes the host.
"""
