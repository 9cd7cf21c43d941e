"""The time of a table that counts: it stands while nobody can be blamed for being late. Sans I/O.

Two things make it stand. Too few owners are in contact for anything to become firm (`stand`, `go`):
then nobody knows whose network failed. And the host's own program did not run for a while
(`skip`): what the others sent meanwhile lies unread in its sockets, and is read before the time
goes on.

Read by `clocks.py`, which says all moments in this time. Moments of the driver's steady clock are
called `now` here and there.
"""

from __future__ import annotations

from math import inf, nextafter

READING_SECONDS = 2.0
"""Time that does not count after the host's program was paused."""


class CountedTime:
    """Seconds that count, made of those that pass."""

    def __init__(self) -> None:
        """It runs like the steady clock at first."""
        self._left_out = 0.0
        """Seconds that did not count so far."""
        self._stood_at = -inf
        """The time never shows less than when it stood still last."""
        self._stands = False

    @property
    def stands(self) -> bool:
        """Whether it stands until `go` is called."""
        return self._stands

    def at(self, now: float) -> float:
        """What it shows."""
        return self._stood_at if self._stands else max(self._stood_at, now - self._left_out)

    def when(self, moment: float) -> float:
        """The steady clock's moment at which it shows this one, as things are."""
        if self._stands:
            return inf
        when = moment + self._left_out
        # By rounding it may show a little less then, and a timer would come in vain.
        return when if self.at(when) >= moment else nextafter(when, inf)

    def stand(self, now: float) -> bool:
        """Stand still from now on; whether it ran before."""
        if self._stands:
            return False
        self._stood_at, self._stands = self.at(now), True
        return True

    def go(self, now: float) -> bool:
        """Go on; whether it stood before."""
        if not self._stands:
            return False
        self._stands, self._left_out = False, now - self._stood_at
        return True

    def skip(self, seconds: float, now: float) -> None:
        """Leave out the seconds up to now, in which the host's program did not run."""
        if not self._stands:
            self._stood_at = self.at(now - seconds)
            self._left_out = now + READING_SECONDS - self._stood_at
