"""Bots: players that are programs. A bot is given the view of its seat and returns one legal act.

Start with `player.py` (the interface) and `sensible.py`. The timers that run bots at a table belong
to `lanuno.net.runtime.bot_runner`.
"""
