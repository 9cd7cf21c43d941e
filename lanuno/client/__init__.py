"""What every user interface shares: tables found, hosted, joined, watched, resumed and verified.

Start with `session.py`: `TableSession` plays a table as its request says (`requests.py`) and emits
events (`events.py`). The window and the commands are two users of it; neither imports the other.

Here belong asyncio, the profile's files, and all that decides what a person is told. Qt belongs to
`lanuno.app`, printing and exit codes to `lanuno.cli`.
"""
