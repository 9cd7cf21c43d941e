"""Counters of bodies: which have been used.

Each identity that plays a seat has its own counters. While a player is away, a bot of the host may
play the seat. If the two shared counters, the bot could use them up and the player could sign
nothing more.
"""

from __future__ import annotations

from lanuno.log.format.bodies import HOST
from lanuno.log.format.genesis import Roster


class Counters:
    """The counters of one log."""

    def __init__(self, roster: Roster) -> None:
        """Start with an empty log. `roster` is the roster as signed at genesis."""
        self._roster = roster
        self._highest: dict[tuple[int, bytes], int] = {}

    def next(self, author: int, public: bytes) -> int:
        """Return the lowest counter above those that this identity has used for this author."""
        return self._highest.get(self._key(author, public), -1) + 1

    def use(self, author: int, public: bytes, counter: int) -> None:
        """Note the counter of a body that was added to the log."""
        self._highest[self._key(author, public)] = counter

    def public_state(self) -> tuple[tuple[int | bytes, ...], ...]:
        """Return all counters as canonical nested tuples."""
        return tuple(
            (author, counter) if not bot else (author, bot, counter)
            for (author, bot), counter in sorted(self._highest.items())
        )

    def _key(self, author: int, public: bytes) -> tuple[int, bytes]:
        """Return the author and, only for a bot that fills in, its identity."""
        own = author == HOST or self._roster.seats[author].identity == public
        return author, b"" if own else public
