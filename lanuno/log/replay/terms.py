"""Terms: who has been the host since when, and whether a set of votes elects a host.

This module checks an election against the log that it continues, and detects double votes.
`lanuno.table.succession` decides when to ask for votes and for whom to vote; `format/votes.py`
checks the signatures of single votes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from lanuno.log.faults import BodyRefused, RefusalReason, Unreadable
from lanuno.log.format.genesis import Roster
from lanuno.log.format.votes import ElectionVote, SignedVote

COUNTERS_PER_TERM = 1 << 16
"""The counters of the host role begin at this number times the term. A log holds fewer entries, so
a host that is elected again never reuses a counter of entries that were given up."""

MAX_TERM_STEP = 1 << 16
"""Limit for the increase of the term in one election. It makes a log full before its elections can
use up all terms."""


class Term(Struct, frozen=True):
    """The period in which one seat is the host."""

    number: int
    first: int
    """Number of the term's first entry."""
    host: int
    """The seat of the host."""


class LogEnd(Struct, frozen=True):
    """How far a log goes; votes are compared by it."""

    term: int
    """Term of the last entry."""
    count: int
    head: bytes


def majority(owners: int) -> int:
    """Return how many of `owners` owners decide: more than half, and both of two."""
    return owners // 2 + 1


def elected_host(
    roster: Roster,
    table: bytes,
    owners: Collection[int],
    end: LogEnd,
    votes: Sequence[SignedVote],
) -> tuple[int, int]:
    """Return the seat and the term of the host that these votes elect at the end of this log.

    Raises `BodyRefused` unless they are valid votes from a majority of these owners, all for one
    candidate and one later term, and no voter held more of the log or a different end of it.
    """
    read = [_read(signed, roster) for signed in votes]
    first = read[0]
    if any((vote.term, vote.candidate) != (first.term, first.candidate) for vote in read):
        raise BodyRefused(RefusalReason.ILLEGAL, "votes of two elections")
    voters = {vote.voter for vote in read}
    if len(voters) != len(read) or not voters <= set(owners) or first.candidate not in owners:
        raise BodyRefused(RefusalReason.NOT_A_SEAT, "not votes of different owners that count")
    if len(owners) < 2 or len(voters) < majority(len(owners)):
        raise BodyRefused(RefusalReason.ILLEGAL, "no majority")
    if not end.term < first.term <= end.term + MAX_TERM_STEP:
        raise BodyRefused(RefusalReason.ILLEGAL, "the term is not later, or too far ahead")
    for vote in read:
        ahead = (vote.last_term, vote.count) > (end.term, end.count)
        same = (vote.last_term, vote.count) == (end.term, end.count)
        if vote.table != table or ahead or (same and vote.head != end.head):
            raise BodyRefused(RefusalReason.ILLEGAL, "a voter holds more of the log")
    return first.candidate, first.term


def double_vote(roster: Roster, table: bytes, first: SignedVote, second: SignedVote) -> int | None:
    """Return the owner who voted for two candidates in one term of this table, or None."""
    try:
        one, two = _read(first, roster), _read(second, roster)
    except BodyRefused:
        return None
    if first.vote == second.vote or one.table != table or two.table != table:
        return None
    same = (one.voter, one.term) == (two.voter, two.term)
    # Two votes for one candidate that state different logs elect nobody else, so they are no fault.
    return one.voter if same and one.candidate != two.candidate else None


def _read(signed: SignedVote, roster: Roster) -> ElectionVote:
    """Parse a vote and check its seats and signature; raises `BodyRefused`."""
    try:
        vote = signed.read()
    except Unreadable as error:
        raise BodyRefused(RefusalReason.MALFORMED, str(error)) from None
    if max(vote.voter, vote.candidate) >= len(roster.seats):
        raise BodyRefused(RefusalReason.NOT_A_SEAT)
    if not signed.signed_by(roster.seats[vote.voter].identity):
        raise BodyRefused(RefusalReason.BAD_SIGNATURE)
    return vote
