"""Stops the clock of the event loop, so that a slow machine cannot change the order of timers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

TURNS = 20
"""Turns of the event loop after each step of the clock, for tasks that timers have started."""


class StoppedClock:
    """The clock of the running event loop, which only `advance` moves.

    A wait with a timeout does not end while the clock stands still.
    """

    def __init__(self, start: float) -> None:
        """`start` is the time of the loop, in seconds."""
        self.now = start

    def time(self) -> float:
        return self.now

    async def advance(self, seconds: float) -> None:
        """Move the clock, and let the work end that is due by then and waits for nothing else."""
        self.now += seconds
        for _ in range(TURNS):
            await asyncio.sleep(0)


@contextmanager
def stopped_clock() -> Iterator[StoppedClock]:
    """Stop the clock of the running event loop until the end of this context."""
    loop = asyncio.get_running_loop()
    real = loop.time
    clock = StoppedClock(real())
    # asyncio reads the time of its timers through this method, and offers no other clock.
    loop.time = clock.time  # type: ignore[method-assign]
    try:
        yield clock
    finally:
        loop.time = real  # type: ignore[method-assign]
