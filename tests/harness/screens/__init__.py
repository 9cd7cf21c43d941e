"""The app on an X server: `screen.py` looks at it and acts, `player.py` plays a match that way."""
