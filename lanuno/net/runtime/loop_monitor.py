"""Log when the event loop was late, or the whole computer slept.

To its peers, a node that is late by seconds looks like a lost connection. Their logs cannot tell
the difference.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

LATE_LOOP_SECONDS: Final = 1.0
LOOP_CHECK_SECONDS: Final = 1.0
CLOCK_JUMP_SECONDS: Final = 5.0
"""A change of the system clock against the event loop's clock is logged from this many seconds on.
The event loop's clock stops while the computer sleeps."""

_log = logging.getLogger(__name__)


class LoopMonitor:
    """Measures once a second how late the event loop is."""

    def __init__(self, on_check: Callable[[], None]) -> None:
        """Start measuring the running event loop. `on_check` is called about once a second."""
        self._loop = asyncio.get_running_loop()
        self._on_check = on_check
        self._begin()

    def stop(self) -> None:
        """Stop measuring."""
        self._timer.cancel()

    def _begin(self) -> None:
        self._due = self._loop.time() + LOOP_CHECK_SECONDS
        self._clock = time.time()
        self._timer = self._loop.call_at(self._due, self._check)

    def _check(self) -> None:
        late = self._loop.time() - self._due
        if late > LATE_LOOP_SECONDS:
            _log.info("this program was held up for %.1f s", late)
        moved = time.time() - self._clock - late - LOOP_CHECK_SECONDS
        if abs(moved) > CLOCK_JUMP_SECONDS:
            _log.info("the clock moved by %.0f s: the computer slept, or it was set", moved)
        self._begin()
        self._on_check()
