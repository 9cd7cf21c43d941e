"""How long a node searches for a host before it gives up the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from lanuno.rules.ruleset import Ruleset

LONGEST_SEARCH_SECONDS: Final = 600.0
"""Search time with the default rules. An outage of a few minutes does not end a match."""

SEARCH_PER_GRACE: Final = LONGEST_SEARCH_SECONDS / Ruleset().grace_total_s
"""Search time per second of grace time, for tables with a shorter grace time than the default."""


def usual_search_seconds(rules: Ruleset) -> float:
    """Return how long to search for a host by default, in seconds. Never less than the grace time.

    Players who agreed not to wait long for each other do not search for minutes either.
    """
    grace = float(rules.grace_total_s)
    return max(grace, min(LONGEST_SEARCH_SECONDS, grace * SEARCH_PER_GRACE))


class SearchDeadline:
    """Calls back when a search has lasted too long."""

    def __init__(self, seconds: float, give_up: Callable[[], None]) -> None:
        """`give_up` is called after `seconds` of searching without a break."""
        self._seconds = seconds
        self._give_up = give_up
        self._timer: asyncio.TimerHandle | None = None

    def set_active(self, *, on: bool) -> None:
        """Start, continue or stop a search."""
        if self._timer is not None and not on:
            self._timer.cancel()
            self._timer = None
        elif self._timer is None and on:
            later = asyncio.get_running_loop().call_later
            self._timer = later(self._seconds, self._give_up)

    def restart(self) -> None:
        """Give a running search its full time again, because this program was paused."""
        if self._timer is not None:
            self.set_active(on=False)
            self.set_active(on=True)
