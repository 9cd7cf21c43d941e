"""Rate limits for people: a burst and a rate. Sans I/O: the caller passes in the time."""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from typing import Final, Generic, TypeVar

Who = TypeVar("Who", bound=Hashable)

CHAT_RATE: Final = 1.0
CHAT_BURST: Final = 8
"""Rate limit for one player's or spectator's chat: a burst of 8 lines, then 1 per second."""

ADDRESS_CHAT_RATE: Final = 1.0
ADDRESS_CHAT_BURST: Final = 12
"""Rate limit for the chat of all players in a waiting room behind one address. A key costs nothing
there."""

SPECTATORS_CHAT_RATE: Final = 4.0
SPECTATORS_CHAT_BURST: Final = 20
"""Rate limit for the chat of all spectators together, and of all guests with a seat in a waiting
room together."""

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


LONGEST_WAIT_SECONDS: Final = 1.0
"""Limit of the wait for a use that was charged in advance."""

MOST_PEOPLE: Final = 1024
"""Limit of people whose use is remembered. Beyond it, all others share one budget."""


class Budget(Generic[Who]):
    """A burst and a rate per second for each person. The last use may exceed the remainder.

    A person is whatever the caller counts by: a key, an address, a seat. Nothing is kept for a
    person whose whole burst is available, so forgetting such a person changes nothing. Nobody else
    is ever forgotten: no number of new keys renews a budget.
    """

    __slots__ = ("_most", "_others_paid", "_paid", "_rate", "_slack")

    def __init__(self, rate: float, burst: float, most: int = MOST_PEOPLE) -> None:
        """Start with the full burst for everybody."""
        self._rate = rate
        # A thousandth of a use more, so that rounding takes nothing from the burst.
        self._slack = (burst - 0.999) / rate
        self._most = most
        self._paid: dict[Who, float] = {}
        """By person: when the whole burst will be available again."""
        self._others_paid = -inf
        """The same for all people beyond the limit, together."""

    def opens(self, who: Who) -> float:
        """When this person can spend again."""
        return self._paid_until(who) - self._slack

    def open(self, who: Who, now: float) -> bool:
        """Whether this person can spend now."""
        self._make_room(who, now)
        return now >= self.opens(who)

    def spend(self, who: Who, amount: float, now: float) -> None:
        """Charge an amount, which may exceed the remainder."""
        self._make_room(who, now)
        paid = max(self._paid_until(who), now) + amount / self._rate
        if who in self._paid or len(self._paid) < self._most:
            self._paid[who] = paid
        else:
            self._others_paid = paid

    def take(self, who: Who, now: float) -> bool:
        """Charge one use if the budget allows it; return whether it did."""
        if not self.open(who, now):
            return False
        self.spend(who, 1, now)
        return True

    def delay(self, who: Who, now: float) -> float:
        """Charge one use, and return for how many seconds it has to wait; 0 or less for none.

        Nobody waits long for those who were charged and have gone.
        """
        wait = self.opens(who) - now
        if wait < LONGEST_WAIT_SECONDS:
            self.spend(who, 1, now)
        return min(wait, LONGEST_WAIT_SECONDS)

    def _make_room(self, who: Who, now: float) -> None:
        """Forget the people whose whole burst is available, if a new person needs room."""
        if len(self._paid) >= self._most and who not in self._paid:
            self._paid = {each: until for each, until in self._paid.items() if until > now}

    def _paid_until(self, who: Who) -> float:
        full = len(self._paid) >= self._most
        return self._paid.get(who, self._others_paid if full else -inf)
