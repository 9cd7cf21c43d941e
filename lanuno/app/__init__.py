"""The desktop app: the only place with Qt. Start it with `python -m lanuno.app.main`.

`worker` is the asyncio side and imports no Qt; `controllers` and `models` are the GUI thread's;
`bridge.py` alone stands between the two.
"""
