"""Counted time: it stands still while no owner can be blamed for being late. Sans I/O.

It stands still in two cases. There is no quorum (`pause`, `resume`): then it cannot be known whose
network failed. Or the host's own program did not run for a while (`skip`): messages that arrived
meanwhile are unread in its sockets, and are read before the time goes on.

`clocks.py` and `grace.py` keep all moments in this time. Moments of the runtime's steady clock are
called `now` in all three.
"""

from __future__ import annotations

from math import inf, nextafter

READING_SECONDS = 2.0
"""Time that does not count after the host's program was paused."""


class CountedTime:
    """Converts moments of the steady clock to counted time, and back."""

    def __init__(self) -> None:
        """Begin as the steady clock."""
        self._left_out = 0.0
        """Seconds that did not count so far."""
        self._stopped_at = -inf
        """The counted time when it last stood still: it never goes back behind that."""
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether it stands until `resume` is called."""
        return self._stopped

    def at(self, now: float) -> float:
        """The counted time at this moment."""
        return self._stopped_at if self._stopped else max(self._stopped_at, now - self._left_out)

    def when(self, moment: float) -> float:
        """The steady clock's moment for a moment of the counted time; infinite while it stands."""
        if self._stopped:
            return inf
        when = moment + self._left_out
        # By rounding it may be a little less then, and a timer would fire too early.
        return when if self.at(when) >= moment else nextafter(when, inf)

    def pause(self, now: float) -> bool:
        """Stop from now on; whether it ran before."""
        if self._stopped:
            return False
        self._stopped_at, self._stopped = self.at(now), True
        return True

    def resume(self, now: float) -> bool:
        """Go on; whether it was stopped before."""
        if not self._stopped:
            return False
        self._stopped, self._left_out = False, now - self._stopped_at
        return True

    def skip(self, seconds: float, now: float) -> None:
        """Leave out `seconds` up to now, in which the host's program did not run."""
        if not self._stopped:
            self._stopped_at = self.at(now - seconds)
            self._left_out = now + READING_SECONDS - self._stopped_at
