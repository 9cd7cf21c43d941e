"""Detects that this program did not run for a while: it was stopped, or the computer slept.

Messages of that time are still unread in the sockets, and every timer is overdue at once. So code
that acts on time calls `check` first: the pause is then handled before any overdue timer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

PAUSE_CHECK_SECONDS: Final = 0.5
"""Seconds between two checks when nothing else happens."""

PAUSE_SECONDS: Final = 2.0
"""Seconds without a check that count as a pause; a busy computer may be late by less."""


def _suspend_clock() -> float:
    """Seconds on a clock that also runs while the computer sleeps, where there is one.

    On Linux the clock of the event loop stands meanwhile: nothing is overdue afterwards, but all
    peers have gone.
    """
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class PauseDetector:
    """Watches for pauses from `begin` to `end`."""

    def __init__(
        self,
        paused: Callable[[float], None],
        *,
        clock: Callable[[], float],
        suspend_clock: Callable[[], float] = _suspend_clock,
    ) -> None:
        """`paused`: called after a pause with the time by which `clock`, the loop's, advanced."""
        self._paused = paused
        self._clock = clock
        self._suspend_clock = suspend_clock
        self._last = clock(), suspend_clock()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Check regularly from now on."""
        self._last = self._clock(), self._suspend_clock()
        self._schedule_check()

    def check(self) -> bool:
        """Report a pause if this is the first check after one. Returns whether it was."""
        now, before = (self._clock(), self._suspend_clock()), self._last
        self._last = now
        elapsed, slept = now[0] - before[0], now[1] - before[1]
        if max(elapsed, slept) < PAUSE_SECONDS:
            return False
        self._paused(elapsed)
        return True

    def end(self) -> None:
        """Stop the regular checks."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule_check(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(PAUSE_CHECK_SECONDS, self._timed_check)

    def _timed_check(self) -> None:
        self._schedule_check()
        self.check()
