"""Which counters are used up: every identity counts what it signs for a seat by itself.

While a player is away a bot of the host may play the seat. Did the two share the seat's counters,
the one could use them up, and the other could say nothing any more.
"""

from __future__ import annotations

from lanuno.log.bodies import HOST
from lanuno.log.genesis import Roster


class Counters:
    """The counters of one log."""

    def __init__(self, roster: Roster) -> None:
        """Nobody has said anything. `roster`: who sat where at genesis."""
        self._roster = roster
        self._highest: dict[tuple[int, bytes], int] = {}

    def next(self, author: int, public: bytes) -> int:
        """The lowest counter that this identity has not used up for this author."""
        return self._highest.get(self._place(author, public), -1) + 1

    def use(self, author: int, public: bytes, counter: int) -> None:
        """A body has come into the log."""
        self._highest[self._place(author, public)] = counter

    def public(self) -> tuple[tuple[int | bytes, ...], ...]:
        """All of it as nested tuples, canonical."""
        return tuple(
            (author, counter) if not bot else (author, bot, counter)
            for (author, bot), counter in sorted(self._highest.items())
        )

    def _place(self, author: int, public: bytes) -> tuple[int, bytes]:
        """The author, and the identity if it is a bot that fills in."""
        own = author == HOST or self._roster.seats[author].identity == public
        return author, b"" if own else public
