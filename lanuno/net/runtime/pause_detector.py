"""Detect that this program did not run for a while: it was stopped, or the computer slept.

Messages from that time are still unread in the sockets, and all timers are overdue. So code that
acts on time calls `check` first, which handles the pause before any overdue timer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from lanuno.system.clocks import suspend_clock

PAUSE_CHECK_SECONDS: Final = 0.5
"""Interval between two checks when nothing else happens."""

PAUSE_SECONDS: Final = 2.0
"""Seconds without a check that count as a pause. A busy computer may be late by less."""


class PauseDetector:
    """Detects pauses from `begin` to `end`."""

    def __init__(
        self,
        paused: Callable[[float], None],
        *,
        clock: Callable[[], float],
        suspend_clock: Callable[[], float] = suspend_clock,
    ) -> None:
        """`paused` is called after a pause with the seconds that the loop's `clock` advanced.

        `suspend_clock` also runs while the computer sleeps. Where the loop's clock stops then, no
        timer is overdue afterwards, but all peers have gone.
        """
        self._paused = paused
        self._clock = clock
        self._suspend_clock = suspend_clock
        self._last = clock(), suspend_clock()
        self._timer: asyncio.TimerHandle | None = None
        self.held = False
        """Whether no check counts, because this program waits for its disk. That is a pause, too,
        but a check sees it only afterwards."""

    def begin(self) -> None:
        """Start the regular checks."""
        self._last = self._clock(), self._suspend_clock()
        self._schedule_check()

    def check(self) -> bool:
        """Report a pause if this is the first check after one. Return whether it was."""
        if self.held:
            return False
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
