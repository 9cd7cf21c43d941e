"""Rate limits with a burst and a rate. Sans I/O: the caller passes in the time."""

from __future__ import annotations

from typing import Final

CHAT_RATE: Final = 1.0
CHAT_BURST: Final = 8
"""Rate limit for one player's or spectator's chat: a burst of 8 lines, then 1 per second."""

SPECTATORS_CHAT_RATE: Final = 4.0
SPECTATORS_CHAT_BURST: Final = 20
"""Rate limit for the chat of all spectators of a table together."""

REACTION_RATE: Final = 1.0
REACTION_BURST: Final = 3
"""Rate limit for one player's reactions: a burst of 3, then 1 per second."""

LOG_RATE: Final = 1024 * 1024
"""Bytes of missed entries per second, for each owner and for all spectators together."""
OWNER_LOG_BURST: Final = 32 * 1024 * 1024
"""Burst of an owner, in bytes: twice the longest log, since a node may lose its copy once."""
SPECTATORS_LOG_BURST: Final = 4 * 1024 * 1024
"""Burst of all spectators together, in bytes."""

PAGE_COST: Final = 256
"""Least number of bytes charged for a page, because an empty page is a reply too."""


class Budget:
    """A budget with a burst and a rate per second. The last use may exceed the remainder."""

    __slots__ = ("_paid", "_rate", "_slack")

    def __init__(self, rate: float, burst: float) -> None:
        """Start with the full burst."""
        self._rate = rate
        self._slack = (burst - 1) / rate
        self._paid = float("-inf")
        """When the whole burst will be available again."""

    @property
    def opens(self) -> float:
        """When spending is possible again."""
        return self._paid - self._slack

    def open(self, now: float) -> bool:
        """Whether spending is possible now."""
        return now >= self.opens

    def spend(self, amount: float, now: float) -> None:
        """Charge an amount, which may exceed the remainder."""
        self._paid = max(self._paid, now) + amount / self._rate

    def take(self, now: float) -> bool:
        """Charge one use if the budget allows it; return whether it did."""
        if not self.open(now):
            return False
        self.spend(1, now)
        return True
