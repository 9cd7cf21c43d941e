"""What the host of a table does: it orders the log, keeps the clocks, and sends out the entries.

Start with `role.py`. How a node becomes the host belongs to `lanuno.table.succession`.
"""
