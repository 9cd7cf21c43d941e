"""The desktop app, and the only package that uses Qt. Start it with `python -m lanuno.app.main`.

`controllers` and `models` belong to the GUI thread. Only `bridge.py` connects them with the asyncio
thread, on which `lanuno.client` runs.
"""
