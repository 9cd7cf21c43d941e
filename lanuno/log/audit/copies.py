"""Two copies of one table's log: where they fork, and which votes contradict the other copy.

An owner's vote states how much of the log it holds, and an honest node gives up an entry only for
the first entry of a later term. Suppose an owner signed a body that builds on an entry of one copy,
and then voted, in the other copy, as if it had never held that entry. Then it either lied or lost
data on its disk. The two cases look the same, so such a vote is reported as suspicious and proves
nothing.

`audit.prove_fork` looks for what two copies alone can prove: two entries or two votes of one
author.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct, field

from lanuno.log.faults import Unreadable
from lanuno.log.format.bodies import Elect, Return
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis, Roster
from lanuno.log.format.votes import ElectionVote, SignedVote

Log = tuple[Genesis, Sequence[Entry]]
"""A genesis, and the entries that an audit found valid."""

Progress = Callable[[int, int], None]
"""Called with (entries done, entries in total)."""


class ContradictingVote(Struct, frozen=True):
    """A vote that states a shorter log than the voter's own signature shows.

    This does not prove cheating: a node that lost its last entries in a power failure, or lost its
    disk, votes in the same way.
    """

    seat: int
    """The voter."""
    copy: int
    """0 or 1: the copy that holds the vote. The other copy shows what the voter held."""
    term: int
    """The term for which the vote was cast."""
    entry: int
    """Number of the entry that holds the vote."""
    claimed: int
    """Number of entries that the voter held according to the vote."""
    held: int
    """Least number of entries that the voter held according to its own earlier signature."""
    shown: int
    """Number of the entry in the other copy that holds this signature."""


class CopyFork(Struct, frozen=True):
    """The place where two copies of one log continue with different entries."""

    entry: int
    """Number of the first entry that differs."""
    contradictions: tuple[ContradictingVote, ...]
    """Suspicious votes: the first of each voter in each copy."""


def find_fork(first: Log, second: Log, progress: Progress | None = None) -> CopyFork | None:
    """Return where two copies of one log fork; None if one is only longer or of another table."""
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
    report: Progress = (lambda _done, _total: None) if progress is None else progress
    known = (
        _read_evidence(roster, first[1], lambda done: report(done, total)),
        _read_evidence(roster, second[1], lambda done: report(len(first[1]) + done, total)),
    )
    report_done = partial(report, total, total)
    contradictions = [
        each
        for copy, other in ((0, 1), (1, 0))
        for each in _contradicting_votes(
            roster, copy, number, (known[copy], known[other]), report_done
        )
    ]
    return CopyFork(number, tuple(contradictions))


class _HeldEvidence(Struct, frozen=True):
    """A signature by which an owner shows how far its own copy of the log went."""

    term: int
    """Term of the entry that holds the signature."""
    end: tuple[int, int]
    """Log end that the signature shows: term of the last entry, and number of entries."""
    entry: int
    signed_by: Callable[[bytes], bool]


class _Evidence(Struct, frozen=True):
    """The votes in a log, and all signatures that show how much of it each owner held."""

    votes: list[tuple[int, ElectionVote, SignedVote]] = field(default_factory=list)
    """Each with the number of the entry that holds it."""
    evidence: dict[int, list[_HeldEvidence]] = field(default_factory=dict)
    """By seat."""


def _read_evidence(
    roster: Roster, entries: Sequence[Entry], report: Callable[[int], None]
) -> _Evidence:
    known = _Evidence()
    numbers: dict[bytes, int] = {}
    terms: list[int] = []
    host = roster.host
    for number, entry in enumerate(entries):
        report(number)
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
                held = _HeldEvidence(
                    vote.term, (vote.last_term, vote.count), number, given.signed_by
                )
                known.evidence.setdefault(vote.voter, []).append(held)
        numbers[entry.hash] = number
        terms.append(core.term)
        by_host = _HeldEvidence(core.term, (core.term, number + 1), number, entry.signed_by)
        known.evidence.setdefault(host, []).append(by_host)
        # A dropped seat that asks for its seat again may have read further entries after its vote.
        if body.head in numbers and not isinstance(body.payload, Return):
            head = numbers[body.head]
            by_seat = _HeldEvidence(core.term, (terms[head], head + 1), number, signed.signed_by)
            known.evidence.setdefault(body.author, []).append(by_seat)
    return known


def _votes(payload: Elect) -> Iterator[tuple[ElectionVote, SignedVote]]:
    for given in payload.votes:
        try:
            yield given.read(), given
        except Unreadable:
            continue


def _contradicting_votes(
    roster: Roster,
    copy: int,
    first: int,
    known: tuple[_Evidence, _Evidence],
    report_done: Callable[[], None],
) -> list[ContradictingVote]:
    """Return the votes of one copy, from the fork on, that the other copy contradicts."""
    own, other = known
    found: dict[int, ContradictingVote] = {}
    for number, vote, signed in own.votes:
        report_done()
        seat = vote.voter
        if number < first or seat in found or seat >= len(roster.seats):
            continue
        key = roster.seats[seat].identity
        claimed_end = (vote.last_term, vote.count)
        # A signature in the vote's term or a later one may have been made after the vote.
        more = [
            held
            for held in other.evidence.get(seat, ())
            if held.term < vote.term and held.end > claimed_end
        ]
        more.sort(key=lambda held: held.end, reverse=True)
        most = next((held for held in more if held.signed_by(key)), None)
        if most is not None and signed.signed_by(key):
            found[seat] = ContradictingVote(
                seat, copy, vote.term, number, vote.count, most.end[1], most.entry
            )
    return list(found.values())
