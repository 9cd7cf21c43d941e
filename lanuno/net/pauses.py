"""Notices that this program did not run for a while: it was stopped, or the computer slept.

What the others sent meanwhile lies unread in the sockets, and every timer is overdue at once. So
code that acts upon time asks `look` first: it answers before any timer that ran late, whichever of
them comes first.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

BEAT: Final = 0.5
"""Seconds between two looks when nothing else happens."""

LATE: Final = 2.0
"""Seconds without a look that are a pause; a busy computer may be late by less."""


def _awake_or_not() -> float:
    """Seconds on a clock that also runs while the computer sleeps, where there is one.

    On Linux the clock of the event loop stands then: nothing is overdue afterwards, but everybody
    else has gone.
    """
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class Pauses:
    """Looks on from `begin` to `end`."""

    def __init__(
        self,
        paused: Callable[[float], None],
        *,
        clock: Callable[[], float],
        always: Callable[[], float] = _awake_or_not,
    ) -> None:
        """`paused`: told after a pause for how long `clock`, the loop's, ran on in it."""
        self._paused = paused
        self._clock = clock
        self._always = always
        self._last = clock(), always()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Look by itself from now on."""
        self._last = self._clock(), self._always()
        self._look_later()

    def look(self) -> bool:
        """Tell of a pause, if this is the first look behind one; whether it was."""
        now, before = (self._clock(), self._always()), self._last
        self._last = now
        gone, slept = now[0] - before[0], now[1] - before[1]
        if max(gone, slept) < LATE:
            return False
        self._paused(gone)
        return True

    def end(self) -> None:
        """Look no more by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(BEAT, self._beat)

    def _beat(self) -> None:
        self._look_later()
        self.look()
