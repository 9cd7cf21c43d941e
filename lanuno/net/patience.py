"""How long one computer looks for a host before it gives the table up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from lanuno.rules.ruleset import Ruleset

PATIENCE_SECONDS: Final = 600.0
"""By the usual settings, if nobody ends it earlier: no outage of some minutes ends a match."""

SHARE: Final = PATIENCE_SECONDS / Ruleset().grace_total_s
"""So many times as long as the table waits for one player by its rules, where that is less."""


def usual_seconds(rules: Ruleset) -> float:
    """How long is looked for a host where nothing else was said.

    People who agreed to wait for nobody do not look for a lost host for minutes either.
    """
    total = float(rules.grace_total_s)
    return max(total, min(PATIENCE_SECONDS, total * SHARE))


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
