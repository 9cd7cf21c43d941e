"""Rate limits: a burst and a rate. Sans I/O: the time is passed in."""

from __future__ import annotations

from typing import Final

CHAT_RATE: Final = 1.0
CHAT_BURST: Final = 8
"""Lines of chat of one player or spectator: per second, and at once."""

SPECTATORS_CHAT_RATE: Final = 4.0
SPECTATORS_CHAT_BURST: Final = 20
"""The same for all spectators of a table together."""

REACTION_RATE: Final = 1.0
REACTION_BURST: Final = 3
"""Reactions of one player: per second, and at once."""

LOG_RATE: Final = 1024 * 1024
"""Bytes of missed entries per second: for each owner, and for all spectators together."""
OWNER_LOG_BURST: Final = 32 * 1024 * 1024
"""Bytes that an owner may fetch at once: the longest log twice, since a program may lose it."""
SPECTATORS_LOG_BURST: Final = 4 * 1024 * 1024
"""Bytes that all spectators together may fetch at once."""

PAGE_COST: Final = 256
"""The least bytes that a page costs: an empty one is an answer too."""


class Budget:
    """A burst at once and a rate per second; the last use may exceed what is left."""

    __slots__ = ("_paid", "_rate", "_slack")

    def __init__(self, rate: float, burst: float) -> None:
        """Nothing is spent."""
        self._rate = rate
        self._slack = (burst - 1) / rate
        self._paid = float("-inf")
        """When the whole burst will be available again."""

    @property
    def opens(self) -> float:
        """When something may be spent again."""
        return self._paid - self._slack

    def open(self, now: float) -> bool:
        """Whether something may be spent."""
        return now >= self.opens

    def spend(self, amount: float, now: float) -> None:
        """Pay for something."""
        self._paid = max(self._paid, now) + amount / self._rate

    def take(self, now: float) -> bool:
        """Pay for one use if there is a budget for it; returns whether there was."""
        if not self.open(now):
            return False
        self.spend(1, now)
        return True
