"""The audit of a whole transcript: one verdict, every check of every round, and who is to blame.

The same code runs after every game by itself and on a file years later. It never raises for what
the bytes hold: whatever they are, there is a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from lanuno.log.bodies import CloseReason, Elect
from lanuno.log.course import Decided, Dropped
from lanuno.log.entries import Entry
from lanuno.log.faults import (
    Blame,
    Check,
    Fault,
    HostFault,
    NoTranscript,
    Unfit,
    Unreadable,
    Verdict,
    VoidReason,
)
from lanuno.log.genesis import Genesis, Roster
from lanuno.log.replay import Replay
from lanuno.log.round_audit import CheckResult, RoundReport, audit_round, proves
from lanuno.log.round_record import RoundRecord
from lanuno.log.terms import double_vote
from lanuno.log.transcript import Transcript, salvage
from lanuno.log.votes import SignedVote, Vote
from lanuno.rules.ruleset import Ruleset

Progress = Callable[[int, int], None]
"""Called with (entries checked, entries in all)."""

MOST_PAIRS = 64
"""Pairs of votes whose signatures are compared: an honest log has none that is not proof."""


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit concludes."""

    verdict: Verdict
    reason: str
    """One English phrase for developers; people are shown their own language's."""
    table_id: bytes
    players: tuple[str, ...]
    rounds: tuple[RoundReport, ...]
    blame: tuple[Blame, ...]
    entries: int
    """How many entries were read and found to be in order."""
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    closed: CloseReason | None = None
    attestations: int = 0
    """How many attestations of counted and void rounds say that nothing is wrong."""
    preset: str = ""
    decided: Decided | None = None
    """What decided the match, or what counts of it; None where nothing counts (see `course.py`)."""
    counted: tuple[int, ...] = ()
    """The rounds of play that count."""
    dropped: tuple[Dropped, ...] = ()
    clock: tuple[tuple[int, int], ...] = ()
    """Seats for which the clock played in rounds that count, and how many turns of each."""
    expelled: tuple[int, ...] = ()
    """Seats that are out because their leaving made rounds void."""
    forfeited: tuple[int, int] | None = None
    """Who was gone when only two people were left, and who won by it."""
    unfit: Unfit | None = None
    """UNREADABLE: why there is no game in the file, where it is the bytes that say so."""
    at_end: bool = False
    """CHANGED: whether only the last entry is not as it was signed. Then the game may have been
    stopped because of it: a computer keeps what it could not accept, and goes no further."""
    ruleset: Ruleset | None = None
    """What was played; None if that cannot be read."""


def audit_bytes(data: bytes, progress: Progress | None = None) -> Report:
    """Audit the bytes of a `.lanuno` file."""
    try:
        transcript = salvage(data)
    except Unreadable as error:
        return no_game(error)
    return audit(transcript, progress)


def unreadable(reason: str) -> Report:
    """The report where there is nothing to look at."""
    return Report(Verdict.UNREADABLE, reason, b"", (), (), (), 0)


def no_game(error: Unreadable) -> Report:
    """The report on a file of which not even the genesis can be used."""
    report = unreadable(str(error))
    if isinstance(error, NoTranscript):
        return replace(report, unfit=error.unfit)
    return replace(report, verdict=Verdict.CHANGED)


def audit(transcript: Transcript, progress: Progress | None = None) -> Report:
    """Audit a transcript."""
    try:
        replay = Replay(transcript.genesis)
    except Unreadable as error:
        return no_game(error)
    rounds: dict[int, RoundReport] = {}
    total = len(transcript.entries)
    trailing = False
    broken: HostFault | None = None
    for number, entry in enumerate(transcript.entries):
        if replay.closed is not None:
            trailing = True
            break
        try:
            replay.follow(entry)
        except HostFault as fault:
            broken = fault
            break
        if replay.between_rounds:
            _judge(replay.round, rounds)
        if progress is not None:
            progress(number + 1, total)
    _judge(replay.round, rounds)
    for exposed in replay.exposed:
        _mark(rounds, exposed, Check.SIGNATURES)
    if broken is not None:
        _mark(rounds, broken.blame, broken.check)
    reports = tuple(rounds[number] for number in sorted(rounds))
    blame = tuple(each for report in reports for each in report.blame)
    course = replay.course
    ended = replay.closed is not None
    if ended and (trailing or transcript.torn or transcript.damaged):
        changed = "bytes after the closing entry"
    elif broken is not None and broken.blame.seat is None:
        changed = f"not as it was signed: {broken.blame.detail}"
    else:
        changed = transcript.damaged
    at_end = broken is not None and replay.seq == total - 1
    verdict, reason = _conclude(replay, reports, blame, changed)
    return Report(
        verdict,
        reason,
        replay.table_id,
        tuple(seat.name for seat in replay.roster.seats),
        reports,
        blame,
        replay.seq,
        tuple(replay.match.totals),
        tuple(replay.match.winners),
        replay.closed,
        sum(len(summary.attested) for summary in replay.summaries),
        replay.roster.ruleset.preset,
        course.decided(replay.match.winners),
        tuple(course.counted),
        tuple(course.dropped),
        tuple(sorted(course.clock.items())),
        tuple(course.expelled),
        course.forfeited,
        ruleset=replay.roster.ruleset,
        at_end=verdict is Verdict.CHANGED
        and at_end
        and not (transcript.torn or transcript.damaged),
    )


def _judge(current: RoundRecord | None, rounds: dict[int, RoundReport]) -> None:
    """Audit a round that is over, or the last one as far as it goes, unless that is done."""
    if current is not None and current.number not in rounds:
        report = check_attestations(current, audit_round(current))
        rounds[current.number] = replace(report, blame=_answering(current, report.blame))


def _answering(current: RoundRecord, blame: tuple[Blame, ...]) -> tuple[Blame, ...]:
    """The same faults, each with the player who is to blame in the place of the seat."""
    return tuple(
        each if each.seat is None else replace(each, seat=current.answers_for(each.seat))
        for each in blame
    )


def check_attestations(current: RoundRecord, report: RoundReport) -> RoundReport:
    """Name whoever attested a fault of somebody against whom nothing is proven."""
    false = tuple(
        Blame(
            seat,
            Fault.FALSE_HALT,
            current.number,
            current.attest_entries[seat],
            "attested a fault that is not there",
        )
        for seat, blamed in sorted(current.attests.items())
        if set(blamed) - set(report.blamed)
    )
    return replace(report, blame=_merge(report.blame, false))


def _merge(first: tuple[Blame, ...], second: tuple[Blame, ...]) -> tuple[Blame, ...]:
    return first + tuple(each for each in second if each not in first)


def _mark(rounds: dict[int, RoundReport], blame: Blame, wrong: Check) -> None:
    """Put what is wrong with the log itself into the report of the round where it happened."""
    before = rounds.get(blame.round)
    results = (
        before.checks
        if before is not None
        else tuple(CheckResult(check, ok=False, detail="not reached") for check in Check)
    )
    checks = tuple(
        CheckResult(wrong, ok=False, detail=blame.detail) if each.name is wrong else each
        for each in results
    )
    known = RoundReport(blame.round, (), (), complete=False) if before is None else before
    blames = _merge(known.blame, (blame,))
    rounds[blame.round] = replace(known, checks=checks, blame=blames, complete=False)


def _conclude(
    replay: Replay, reports: Sequence[RoundReport], blame: Sequence[Blame], changed: str
) -> tuple[Verdict, str]:
    """`changed`: what nobody at the table signed, or "". A fault proven before it counts."""
    if any(proves(each) for each in blame):
        return Verdict.CHEATING, "a fault is proven"
    if changed:
        return Verdict.CHANGED, changed
    if replay.closed is None:
        return Verdict.INCOMPLETE, "the log was not closed"
    if not replay.between_rounds or not replay.sound:
        return Verdict.INCOMPLETE, "a round was not finished"
    gone = {
        each.number
        for each in replay.summaries
        if each.void is VoidReason.LOST and not each.counted
    }
    if not reports or not all(each.complete or each.round in gone for each in reports):
        return Verdict.INCOMPLETE, "not everything could be checked"
    if replay.closed is CloseReason.INCOMPLETE:
        return Verdict.INCOMPLETE, "the match was broken off"
    if gone:
        return Verdict.VERIFIED, "every check of every round that counts holds"
    return Verdict.VERIFIED, "every check of every round holds"


def fork(
    first: tuple[Genesis, Sequence[Entry]], second: tuple[Genesis, Sequence[Entry]]
) -> Blame | None:
    """Proof that a host told two stories or an owner elected two, from two copies of one log.

    The proof is two different entries with one table, term and sequence number, both signed by
    one host, whichever term it ruled; or two elections of one term for which somebody gave two
    votes. None if there is no such proof: copies of which one is just longer prove nothing.
    """
    if first[0].table_id != second[0].table_id:
        return None
    try:
        roster = first[0].read()
    except Unreadable:
        return None
    return _two_stories(roster, first, second) or _two_votes(roster, first, second)


def _two_stories(
    roster: Roster, first: tuple[Genesis, Sequence[Entry]], second: tuple[Genesis, Sequence[Entry]]
) -> Blame | None:
    """The host of the first entries that differ, if it signed both."""
    keys = [seat.identity for seat in roster.seats]
    for one, two in zip(first[1], second[1], strict=False):
        if one.core == two.core:
            continue
        # Nobody but a host signs entries: whoever signed both has told two stories.
        signer = next(
            (seat for seat, key in enumerate(keys) if one.signed_by(key) and two.signed_by(key)),
            None,
        )
        if signer is None:
            return None
        try:
            a, b = one.read(), two.read()
        except Unreadable:
            return None
        if (a.table, a.term, a.seq) != (b.table, b.term, b.seq) or a.table != first[0].table_id:
            return None
        detail = "two entries of the host with one number"
        return Blame(signer, Fault.EQUIVOCATION, 0, a.seq, detail)
    return None


def _two_votes(
    roster: Roster, first: tuple[Genesis, Sequence[Entry]], second: tuple[Genesis, Sequence[Entry]]
) -> Blame | None:
    """An owner whose votes made two owners hosts of one term, each in one of the copies."""
    given = {(vote.voter, vote.term): (vote, signed) for _, vote, signed in _votes(first[1])}
    differing = (
        (number, given[vote.voter, vote.term][1], signed)
        for number, vote, signed in _votes(second[1])
        if (vote.voter, vote.term) in given
        and given[vote.voter, vote.term][0].candidate != vote.candidate
    )
    for number, one, two in islice(differing, MOST_PAIRS):
        voter = double_vote(roster, first[0].table_id, one, two)
        if voter is not None:
            return Blame(voter, Fault.DOUBLE_VOTE, 0, number, "two votes in one term")
    return None


def _votes(entries: Sequence[Entry]) -> Iterator[tuple[int, Vote, SignedVote]]:
    """All votes in a log, each with the number of its entry; their signatures are not looked at."""
    for number, entry in enumerate(entries):
        try:
            payload = entry.read().signed_body.read().payload
            for signed in payload.votes if isinstance(payload, Elect) else ():
                yield number, signed.read(), signed
        except Unreadable:
            continue
