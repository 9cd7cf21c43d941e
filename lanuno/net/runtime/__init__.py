"""Drives one lobby or one node with real time, sockets and disk.

Start with `node_runtime.py`. Decisions belong to `lanuno.table`; nothing here changes them.
"""
