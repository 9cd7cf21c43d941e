"""A message for a person who sees no terminal."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes

    _WARNING = 0x30  # MB_ICONWARNING

    def show_message(title: str, text: str) -> None:
        ctypes.windll.user32.MessageBoxW(None, text, title, _WARNING)

else:

    def show_message(title: str, text: str) -> None:
        """Show it, and wait until it is closed. Only Windows has programs without any terminal."""
