"""The desktop app: the only place with Qt. Start it with `python -m lanuno.app.main`.

`controllers` and `models` belong to the GUI thread. `bridge.py` alone stands between them and the
asyncio thread, on which `lanuno.client` runs.
"""
