"""Terms: who is the host since when, and what a set of votes is worth.

Here: the check of an election against the log that it continues, and double votes. Not here: when
to ask for votes and whom to give one (the table's), and signatures of single votes (`votes.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from lanuno.log.faults import BodyRefused, Refusal, Unreadable
from lanuno.log.genesis import Roster
from lanuno.log.votes import SignedVote, Vote

COUNTERS_A_TERM = 1 << 16
"""The office counts from term times this on. A log holds fewer entries, so whoever rules again
never uses a counter of a tail that was lost."""

TERMS_AT_ONCE = 1 << 16
"""The most by which an election may raise the term. A log is full before its elections can use up
all terms."""


@dataclass(frozen=True, slots=True)
class Term:
    """One host's rule."""

    number: int
    first: int
    """Sequence number of its first entry."""
    host: int
    """Seat."""


@dataclass(frozen=True, slots=True)
class LogEnd:
    """How far a log goes: what votes compare."""

    term: int
    """Term of the last entry."""
    count: int
    head: bytes


def majority(owners: int) -> int:
    """How many of so many owners decide: more than half, and both of two."""
    return owners // 2 + 1


def elected(
    roster: Roster,
    table: bytes,
    owners: Collection[int],
    end: LogEnd,
    votes: Sequence[SignedVote],
) -> tuple[int, int]:
    """Seat and term of whom these votes make the host of the log that ends here.

    Raises `BodyRefused` unless they are valid votes of a majority of these owners, all for one
    candidate and one later term, none by somebody who held more of the log.
    """
    read = [_read(signed, roster) for signed in votes]
    first = read[0]
    if any((vote.term, vote.candidate) != (first.term, first.candidate) for vote in read):
        raise BodyRefused(Refusal.ILLEGAL, "votes of two elections")
    voters = {vote.voter for vote in read}
    if len(voters) != len(read) or not voters <= set(owners) or first.candidate not in owners:
        raise BodyRefused(Refusal.NOT_A_SEAT, "not one vote each of owners who count")
    if len(owners) < 2 or len(voters) < majority(len(owners)):
        raise BodyRefused(Refusal.ILLEGAL, "no majority")
    if not end.term < first.term <= end.term + TERMS_AT_ONCE:
        raise BodyRefused(Refusal.ILLEGAL, "not a later term, or one far ahead")
    for vote in read:
        ahead = (vote.last_term, vote.count) > (end.term, end.count)
        same = (vote.last_term, vote.count) == (end.term, end.count)
        if vote.table != table or ahead or (same and vote.head != end.head):
            raise BodyRefused(Refusal.ILLEGAL, "a vote of somebody whose log says more")
    return first.candidate, first.term


def double_vote(roster: Roster, table: bytes, first: SignedVote, second: SignedVote) -> int | None:
    """The owner who signed both of two different votes of one term of this table, or None."""
    try:
        one, two = _read(first, roster), _read(second, roster)
    except BodyRefused:
        return None
    if first.vote == second.vote or one.table != table or two.table != table:
        return None
    same = (one.voter, one.term) == (two.voter, two.term)
    # One candidate may be told twice how much its voter holds; that decides nothing.
    return one.voter if same and one.candidate != two.candidate else None


def _read(signed: SignedVote, roster: Roster) -> Vote:
    """A vote that its voter signed; raises `BodyRefused`."""
    try:
        vote = signed.read()
    except Unreadable as error:
        raise BodyRefused(Refusal.MALFORMED, str(error)) from None
    if max(vote.voter, vote.candidate) >= len(roster.seats):
        raise BodyRefused(Refusal.NOT_A_SEAT)
    if not signed.signed_by(roster.seats[vote.voter].identity):
        raise BodyRefused(Refusal.BAD_SIGNATURE)
    return vote
