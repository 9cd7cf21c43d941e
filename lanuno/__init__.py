"""LanUNO: a LAN card game of the UNO family whose shuffle everybody can check.

Only the version lives here, so that importing any part loads nothing else.
"""

__version__ = "0.1.0"
