"""What all user interfaces share: finding, hosting, joining, watching, resuming, verifying tables.

Start with `session.py`: `TableSession` plays a table as its request (`requests.py`) describes and
emits events (`events.py`). The window and the commands both use it; neither imports the other.

Code that needs asyncio or the profile's files, or that decides what a person is shown, belongs
here. Qt belongs to `lanuno.app`; printing and exit codes belong to `lanuno.cli`.
"""
