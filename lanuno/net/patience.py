"""How long one computer looks for a host before it gives the table up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from lanuno.rules.ruleset import Ruleset

PATIENCE_SECONDS: Final = 600.0
"""So long at the least, if nobody ends it earlier: an outage of some minutes ends no match."""


def usual_seconds(rules: Ruleset) -> float:
    """No less than the table waits for somebody by its rules."""
    return max(PATIENCE_SECONDS, float(rules.grace_total_s))


class Patience:
    """Waits while it is `turn`ed on."""

    def __init__(self, seconds: float, give_up: Callable[[], None]) -> None:
        """`give_up`: called once it was on for so long without a break."""
        self._seconds = seconds
        self._give_up = give_up
        self._timer: asyncio.TimerHandle | None = None

    def turn(self, *, on: bool) -> None:
        """Begin to wait, go on waiting, or stop."""
        if self._timer is not None and not on:
            self._timer.cancel()
            self._timer = None
        elif self._timer is None and on:
            later = asyncio.get_running_loop().call_later
            self._timer = later(self._seconds, self._give_up)

    def again(self) -> None:
        """Wait once more for the whole time, if it waits: this program did not run."""
        if self._timer is not None:
            self.turn(on=False)
            self.turn(on=True)
