"""Counted time: it stands still while no owner can be blamed for being late. Sans I/O.

It stands still in two cases. Without a quorum (`pause`, `resume`) the host cannot know whose
network failed. After its own program did not run for a while (`skip`), messages that arrived
meanwhile are still unread in its sockets; they are read before the time goes on.

`clocks.py` and `grace.py` store all times in counted time. In all three modules, `now` is a time of
the runtime's monotonic clock.
"""

from __future__ import annotations

from math import inf, nextafter

READING_SECONDS = 2.0
"""Time that does not count after a pause of the host's program."""


class CountedTime:
    """Converts the monotonic clock to counted time, and back."""

    def __init__(self) -> None:
        """Start equal to the monotonic clock."""
        self._left_out = 0.0
        """Seconds that have not counted so far."""
        self._stopped_at = -inf
        """The counted time when it last stood still. It never falls below that."""
        self.stopped = False
        """Whether the counted time stands still until `resume` is called."""

    def at(self, now: float) -> float:
        """Return the counted time at `now`."""
        return self._stopped_at if self.stopped else max(self._stopped_at, now - self._left_out)

    def when(self, moment: float) -> float:
        """Convert a counted time to the monotonic clock; infinite while it stands still."""
        if self.stopped:
            return inf
        when = moment + self._left_out
        # Rounding can make the result slightly too low, and a timer would fire too early.
        return when if self.at(when) >= moment else nextafter(when, inf)

    def pause(self, now: float) -> None:
        """Stop the counted time."""
        self._stopped_at, self.stopped = self.at(now), True

    def resume(self, now: float) -> bool:
        """Resume the counted time; return whether it was stopped."""
        if not self.stopped:
            return False
        self.stopped, self._left_out = False, now - self._stopped_at
        return True

    def skip(self, seconds: float, now: float) -> None:
        """Leave out `seconds` until now, in which the host's program did not run."""
        if not self.stopped:
            self._stopped_at = self.at(now - seconds)
            self._left_out = now + READING_SECONDS - self._stopped_at
