"""Two copies of one table's log: where they part, and which votes deny what their voter held.

An owner's vote says how much of the log it holds, and an honest computer gives up an entry only for
the first entry of a later term. So an owner that signed on an entry of one copy and then voted, in
the other copy, as if it had never seen that entry either lied or lost what was on its disk. The two
cannot be told apart: such a vote is named as suspicious, and proves nothing.

What proves something by two copies alone (two entries or two votes of one author) is `audit.fork`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from lanuno.log.bodies import Elect, Return
from lanuno.log.entries import Entry
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import Genesis, Roster
from lanuno.log.votes import SignedVote, Vote

Log = tuple[Genesis, Sequence[Entry]]
"""A genesis, and the entries that an audit found to be in order."""

Progress = Callable[[int, int], None]
"""Called with (entries looked at, entries in all)."""


@dataclass(frozen=True, slots=True)
class Denial:
    """A vote that says that its voter held less than the voter's own signature shows.

    No proof of cheating: a computer that lost its last entries with its power or its disk votes in
    the same way.
    """

    seat: int
    """The voter."""
    copy: int
    """0 or 1: the copy that holds the vote. The other one shows what the voter held."""
    term: int
    """The term that the vote is for."""
    entry: int
    """Number of the entry that holds the vote."""
    claimed: int
    """How many entries the voter held, by the vote."""
    held: int
    """How many entries it held at least, by its own signature before."""
    shown: int
    """Number of the entry in the other copy that holds this signature."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Two copies of one log that do not go on with the same entry."""

    entry: int
    """Number of the first entry that differs."""
    denials: tuple[Denial, ...]
    """Suspicious votes: the first of each voter in each copy."""


def part(first: Log, second: Log, progress: Progress | None = None) -> Parting | None:
    """Where two copies of one table's log part; None if one is just longer, or of another table."""
    if first[0].table_id != second[0].table_id:
        return None
    pairs = enumerate(zip(first[1], second[1], strict=False))
    number = next((number for number, (one, two) in pairs if one.core != two.core), None)
    if number is None:
        return None
    try:
        roster = first[0].read()
    except Unreadable:
        return None
    total = len(first[1]) + len(second[1])
    tell: Progress = (lambda _done, _total: None) if progress is None else progress
    known = (
        _look(roster, first[1], lambda done: tell(done, total)),
        _look(roster, second[1], lambda done: tell(len(first[1]) + done, total)),
    )
    told = partial(tell, total, total)
    denials = [
        each
        for copy, other in ((0, 1), (1, 0))
        for each in _denials(roster, copy, number, (known[copy], known[other]), told)
    ]
    return Parting(number, tuple(denials))


@dataclass(frozen=True, slots=True)
class _Sign:
    """Something in a log by which an owner shows how far its own copy went."""

    term: int
    """Term of the entry that holds it."""
    end: tuple[int, int]
    """Term of the last entry that the owner held, and how many entries."""
    entry: int
    signed_by: Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class _Known:
    """What a log shows of its owners."""

    votes: list[tuple[int, Vote, SignedVote]] = field(default_factory=list)
    """With the numbers of the entries that hold them."""
    signs: dict[int, list[_Sign]] = field(default_factory=dict)
    """By seat."""


def _look(roster: Roster, entries: Sequence[Entry], tell: Callable[[int], None]) -> _Known:
    known = _Known()
    numbers: dict[bytes, int] = {}
    terms: list[int] = []
    host = roster.host
    for number, entry in enumerate(entries):
        tell(number)
        try:
            core = entry.read()
            signed = core.signed_body
            body = signed.read()
        except Unreadable:
            break
        if isinstance(body.payload, Elect):
            for vote, given in _votes(body.payload):
                known.votes.append((number, vote, given))
                host = vote.candidate
                sign = _Sign(vote.term, (vote.last_term, vote.count), number, given.signed_by)
                known.signs.setdefault(vote.voter, []).append(sign)
        numbers[entry.hash] = number
        terms.append(core.term)
        by_host = _Sign(core.term, (core.term, number + 1), number, entry.signed_by)
        known.signs.setdefault(host, []).append(by_host)
        # A seat that was dropped may have read on after its vote to ask for its seat again.
        if body.head in numbers and not isinstance(body.payload, Return):
            head = numbers[body.head]
            by_seat = _Sign(core.term, (terms[head], head + 1), number, signed.signed_by)
            known.signs.setdefault(body.author, []).append(by_seat)
    return known


def _votes(payload: Elect) -> Iterator[tuple[Vote, SignedVote]]:
    for given in payload.votes:
        try:
            yield given.read(), given
        except Unreadable:
            continue


def _denials(
    roster: Roster, copy: int, first: int, known: tuple[_Known, _Known], told: Callable[[], None]
) -> list[Denial]:
    """The votes in one copy, from the first entry that differs, that the other one contradicts."""
    own, other = known
    found: dict[int, Denial] = {}
    for number, vote, signed in own.votes:
        told()
        seat = vote.voter
        if number < first or seat in found or seat >= len(roster.seats):
            continue
        key = roster.seats[seat].identity
        said = (vote.last_term, vote.count)
        # What it signed in that term or a later one it may have signed after the vote.
        more = [
            sign for sign in other.signs.get(seat, ()) if sign.term < vote.term and sign.end > said
        ]
        more.sort(key=lambda sign: sign.end, reverse=True)
        most = next((sign for sign in more if sign.signed_by(key)), None)
        if most is not None and signed.signed_by(key):
            found[seat] = Denial(seat, copy, vote.term, number, vote.count, most.end[1], most.entry)
    return list(found.values())
