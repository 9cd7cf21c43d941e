"""A clock that also runs while the computer sleeps."""

from __future__ import annotations

import sys
import time

if sys.platform == "win32":

    def suspend_clock() -> float:
        return time.monotonic()

else:
    # The clock of Python and of the event loop stops during sleep on both systems.
    if sys.platform == "linux":
        _CLOCK = time.CLOCK_BOOTTIME
    else:
        _CLOCK = time.CLOCK_MONOTONIC

    def suspend_clock() -> float:
        """Return the seconds since some moment, including those of sleep."""
        return time.clock_gettime(_CLOCK)
