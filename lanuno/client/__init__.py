"""What every user interface shares: tables found, hosted, joined, resumed and verified.

The window and the commands call it; it shows and prints nothing. Asyncio, without Qt.
"""
