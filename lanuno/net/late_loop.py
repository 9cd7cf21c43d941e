"""Notices when the event loop was late, or the whole computer slept: others saw nothing of it then.

A second in which nothing is answered looks to the others like a lost connection, and no line of
theirs says why.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

LATE_SECONDS: Final = 1.0
LOOK_SECONDS: Final = 1.0
CLOCK_SECONDS: Final = 5.0
"""Between the computer's clock and the loop's, which stands still while the computer sleeps."""

_log = logging.getLogger(__name__)


class LoopWatch:
    """Looks once a second how late that is. Made by `watch_loop`."""

    def __init__(self, each_time: Callable[[], None]) -> None:
        """Begin; a loop must run."""
        self._loop = asyncio.get_running_loop()
        self._each_time = each_time
        self._begin()

    def stop(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _begin(self) -> None:
        self._due = self._loop.time() + LOOK_SECONDS
        self._clock = time.time()
        self._timer = self._loop.call_at(self._due, self._look)

    def _look(self) -> None:
        late = self._loop.time() - self._due
        if late > LATE_SECONDS:
            _log.info("this program was held up for %.1f s", late)
        moved = time.time() - self._clock - late - LOOK_SECONDS
        if abs(moved) > CLOCK_SECONDS:
            _log.info("the clock moved by %.0f s: the computer slept, or it was set", moved)
        self._begin()
        self._each_time()


def watch_loop(each_time: Callable[[], None]) -> LoopWatch:
    """Watch the running loop until `stop`. `each_time`: also done about once a second."""
    return LoopWatch(each_time)
