"""Bots. A bot receives the view of its seat and returns one legal act.

Start with `player.py` (the interface) and `sensible.py`. The timers that run bots at a table are in
`lanuno.net.runtime.bot_runner`.
"""
