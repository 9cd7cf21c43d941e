"""How long checking one file may take: the same for the command and for the window."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

SECONDS: Final = 30.0
"""Of the processor's time that one file may take; a match that people play takes a few.

Looked at between entries: what they gave work for, and the check of a round, is still finished.
"""

Progress = Callable[[int, int], None]
"""Told how many entries of how many are checked."""


class TooLong(Exception):
    """Checking a file takes more time than any match that people play."""


def in_time(progress: Progress, seconds: float = SECONDS) -> Progress:
    """The same, for work that begins now; raises `TooLong` once that has taken too long."""
    began = time.process_time()

    def told(done: int, total: int) -> None:
        if time.process_time() - began > seconds:
            raise TooLong
        progress(done, total)

    return told
