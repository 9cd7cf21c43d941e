"""LanUNO: a LAN card game of the UNO family with a shuffle that every player can check.

This module holds only the version, so importing any part of the package loads nothing else.
"""

__version__ = "0.1.0"
