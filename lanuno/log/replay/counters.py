"""Counters of bodies: which have been used, and what proves that one was used twice.

Each identity that plays a seat has its own counters. While a player is away, a bot of the host may
play the seat. If the two shared counters, the bot could use them up and the player could sign
nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.faults import Unreadable
from lanuno.log.format.bodies import HOST, Body, SignedBody
from lanuno.log.format.codec import decode
from lanuno.log.format.genesis import Roster
from lanuno.log.replay.terms import COUNTERS_PER_TERM, Term


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


def used_twice(
    table: bytes,
    signed: Roster,
    roster: Roster,
    terms: Sequence[Term],
    first: SignedBody,
    second: SignedBody,
) -> int | None:
    """Return the seat whose owner signed two different bodies with one counter, or None.

    `signed` is the roster as signed at genesis, `roster` the players now. Both bodies must name
    this table and carry the author's signature; anything less proves nothing.
    """
    try:
        one, two = decode(first.body, Body), decode(second.body, Body)
    except Unreadable:
        return None
    same = one.author == two.author and one.counter == two.counter
    if not same or one.table != table or two.table != table:
        return None
    if first.body == second.body or (one.author != HOST and one.author >= len(roster.seats)):
        return None
    seat = one.author if one.author != HOST else _host_of(terms, one.counter // COUNTERS_PER_TERM)
    if seat is None:
        return None
    key = (signed if one.author == HOST else roster).seats[seat].identity
    return seat if first.signed_by(key) and second.signed_by(key) else None


def _host_of(terms: Sequence[Term], number: int) -> int | None:
    """Return the host of a term of this log, or None if the log has no such term."""
    return next((each.host for each in terms if each.number == number), None)
