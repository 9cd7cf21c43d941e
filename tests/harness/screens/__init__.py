"""The app on an X server: `screen.py` reads and operates it, `player.py` plays a match that way."""
