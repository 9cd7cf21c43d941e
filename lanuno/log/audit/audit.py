"""The audit of a whole transcript: one verdict, every check of every round, and the blame.

The same code runs automatically after every game and on a file years later. It returns a report for
any bytes and raises for none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from lanuno.log.audit.conclusion import Conclusion, conclude
from lanuno.log.audit.copies import Log, Progress
from lanuno.log.faults import (
    AuditVerdict,
    Blame,
    Check,
    Fault,
    HostFault,
    NoGameReason,
    NoTranscript,
    Unreadable,
    VoidReason,
)
from lanuno.log.format.bodies import CloseReason, Elect
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Roster
from lanuno.log.format.transcript import Transcript, salvage
from lanuno.log.format.votes import ElectionVote, SignedVote
from lanuno.log.replay.course import Decided, DroppedSeat
from lanuno.log.replay.replay import Replay
from lanuno.log.replay.terms import double_vote
from lanuno.log.round.round_audit import CheckResult, RoundReport, audit_round, is_proof
from lanuno.log.round.round_record import ClockAct, RoundRecord
from lanuno.rules.ruleset import Ruleset

MAX_VOTE_PAIRS = 64
"""Limit on the pairs of differing votes that are verified, to bound the work on forged logs."""


class Report(Struct, frozen=True):
    """The conclusions of an audit."""

    verdict: AuditVerdict
    reason: str
    """An English phrase for developers; users see a translated text."""
    table_id: bytes
    players: tuple[str, ...]
    rounds: tuple[RoundReport, ...]
    blame: tuple[Blame, ...]
    entries: int
    """Number of valid entries."""
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    closed: CloseReason | None = None
    attestations: int = 0
    """Number of attestations, in counted and void rounds, that blame nobody."""
    preset: str = ""
    decided: Decided | None = None
    """What decided the match or, without a winner, its counted rounds.

    None if no round counts and nobody has won."""
    counted: tuple[int, ...] = ()
    """Numbers of the rounds of play that count."""
    dropped: tuple[DroppedSeat, ...] = ()
    clock: tuple[tuple[int, int], ...] = ()
    """(seat, turns that the clock played for it) in rounds that count."""
    clock_acts: tuple[ClockAct, ...] = ()
    """Acts of the clock that decided something, in rounds that count."""
    expelled: tuple[int, ...] = ()
    """Seats that were expelled because void rounds count against them."""
    forfeited: tuple[int, int] | None = None
    """Of the last two owners, the one who was gone and the one who won."""
    no_game: NoGameReason | None = None
    """For UNREADABLE: why the file holds no game; None if it could not be read at all."""
    at_end: bool = False
    """For CHANGED: whether only the last entry is not as it was signed. That entry may be the one
    that ended the game: a node stores an entry that it could not accept, and stops there."""
    ruleset: Ruleset | None = None
    """The rules of the game; None if they cannot be read."""
    broken_from: int | None = None
    """For INCOMPLETE and CHANGED: the number of the round in which the log stops being whole, which
    may be the one after the last; None if only its end is missing or changed."""

    @property
    def conclusion(self) -> Conclusion:
        """What every screen says of the game."""
        return conclude(self.verdict, self.decided)

    @property
    def on_hosts_word(self) -> bool:
        """Whether an absence that is listed here is only the host's claim."""
        signed = {(each.seat, each.round) for each in self.dropped if each.signed}
        spoiled = {(seat, each.round) for each in self.rounds for seat in each.voided_by}
        unsigned = {seat for seat, _ in spoiled - signed}
        claimed = any(not each.signed for each in self.dropped)
        return claimed or bool(self.clock or self.clock_acts or unsigned & {*self.expelled})


Pending = Callable[[], RoundReport]
"""Returns the report of a round once its audit is done."""


def _at_once(work: Pending) -> Pending:
    report = work()
    return lambda: report


def audit_bytes(data: bytes, progress: Progress | None = None) -> Report:
    """Audit the bytes of a `.lanuno` file."""
    try:
        transcript = salvage(data)
    except Unreadable as error:
        return no_game_report(error)
    return audit(transcript, progress)


def unreadable_report(reason: str) -> Report:
    """Return the report on a file that cannot be read."""
    return Report(AuditVerdict.UNREADABLE, reason, b"", (), (), (), 0)


def no_game_report(error: Unreadable) -> Report:
    """Return the report on a file without a usable genesis."""
    report = unreadable_report(str(error))
    if isinstance(error, NoTranscript):
        return replace(report, no_game=error.no_game)
    return replace(report, verdict=AuditVerdict.CHANGED)


def audit(
    transcript: Transcript,
    progress: Progress | None = None,
    begin: Callable[[Pending], Pending] = _at_once,
) -> Report:
    """Audit a transcript, calling `progress` after each entry.

    `begin` begins the audit of one round and returns a function that waits for its report, so that
    rounds can be audited side by side.
    """
    try:
        replay = Replay(transcript.genesis)
    except Unreadable as error:
        return no_game_report(error)
    begun: dict[int, Pending] = {}
    total = len(transcript.entries)
    trailing = False
    broken: HostFault | None = None
    next_round = 0
    for number, entry in enumerate(transcript.entries):
        if replay.closed is not None:
            trailing = True
            break
        try:
            replay.follow(entry)
        except HostFault as fault:
            broken = fault
            break
        next_round = replay.number + (replay.round is not None and replay.between_rounds)
        if replay.between_rounds:
            _audit_ended_round(replay.round, begun, begin)
        if progress is not None:
            progress(number + 1, total)
    _audit_ended_round(replay.round, begun, begin)
    rounds = {number: wait() for number, wait in begun.items()}
    for exposed in replay.exposed:
        _add_log_fault(rounds, exposed, Check.SIGNATURES)
    if broken is not None:
        _add_log_fault(rounds, broken.blame, broken.check)
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
    agreed = replay.roster.rounds
    played_out = replay.match.over or (agreed is not None and len(course.counted) >= agreed)
    only_the_end = replay.between_rounds and played_out
    whole = ended and replay.closed is not CloseReason.INCOMPLETE
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
        replay.winners,
        replay.closed,
        sum(len(summary.attested) for summary in replay.summaries),
        replay.roster.ruleset.preset,
        course.decided(replay.winners),
        tuple(course.counted),
        tuple(course.dropped),
        tuple(sorted(course.clock.items())),
        tuple(course.clock_acts),
        tuple(course.expelled),
        course.forfeited,
        ruleset=replay.roster.ruleset,
        at_end=verdict is AuditVerdict.CHANGED
        and at_end
        and not (transcript.torn or transcript.damaged),
        broken_from=None
        if whole or only_the_end or verdict not in (AuditVerdict.INCOMPLETE, AuditVerdict.CHANGED)
        else next_round,
    )


def _audit_ended_round(
    current: RoundRecord | None,
    begun: dict[int, Pending],
    begin: Callable[[Pending], Pending],
) -> None:
    """Audit a round that has ended, or an unfinished last one, unless already audited."""
    if current is not None and current.number not in begun:
        begun[current.number] = begin(partial(_audit_of, current))


def _audit_of(current: RoundRecord) -> RoundReport:
    report = check_attestations(current, audit_round(current))
    return replace(report, blame=_blame_players(current, report.blame))


def _blame_players(current: RoundRecord, blame: tuple[Blame, ...]) -> tuple[Blame, ...]:
    """Replace the seat in each fault by the seat of the responsible player."""
    return tuple(
        each if each.seat is None else replace(each, seat=current.responsible_player(each.seat))
        for each in blame
    )


def check_attestations(current: RoundRecord, report: RoundReport) -> RoundReport:
    """Blame every seat whose attestation blames a seat against which nothing is proven."""
    false = tuple(
        Blame(
            seat,
            Fault.FALSE_HALT,
            current.number,
            current.attest_entries[seat],
            "attested a fault that is not proven",
        )
        for seat, blamed in sorted(current.attests.items())
        if set(blamed) - set(report.blamed)
    )
    return replace(report, blame=_merge(report.blame, false))


def _merge(first: tuple[Blame, ...], second: tuple[Blame, ...]) -> tuple[Blame, ...]:
    return first + tuple(each for each in second if each not in first)


def _add_log_fault(rounds: dict[int, RoundReport], blame: Blame, wrong: Check) -> None:
    """Add a fault of the log itself to the report of the round in which it happened."""
    not_reached = tuple(CheckResult(check, ok=False, detail="not reached") for check in Check)
    known = rounds.get(blame.round, RoundReport(blame.round, not_reached, (), complete=False))
    failed = CheckResult(wrong, ok=False, detail=blame.detail)
    checks = tuple(failed if each.name is wrong else each for each in known.checks)
    blames = _merge(known.blame, (blame,))
    rounds[blame.round] = replace(known, checks=checks, blame=blames, complete=False)


def _conclude(
    replay: Replay, reports: Sequence[RoundReport], blame: Sequence[Blame], changed: str
) -> tuple[AuditVerdict, str]:
    """Return the verdict and its reason. `changed` says what is not as it was signed, or is "".

    A fault that is proven before the changed part still counts.
    """
    if any(is_proof(each) for each in blame):
        return AuditVerdict.CHEATING, "a fault is proven"
    if changed:
        return AuditVerdict.CHANGED, changed
    if replay.closed is None:
        return AuditVerdict.INCOMPLETE, "the log was not closed"
    if not replay.between_rounds or not replay.can_continue:
        return AuditVerdict.INCOMPLETE, "a round was not finished"
    gone = {
        each.number
        for each in replay.summaries
        if each.void is VoidReason.LOST and not each.counted
    }
    if not reports or not all(each.complete or each.round in gone for each in reports):
        return AuditVerdict.INCOMPLETE, "not everything could be checked"
    if replay.closed is CloseReason.INCOMPLETE:
        return AuditVerdict.INCOMPLETE, "the match was broken off"
    if gone:
        return AuditVerdict.VERIFIED, "every check of every round that counts holds"
    return AuditVerdict.VERIFIED, "every check of every round holds"


def prove_fork(first: Log, second: Log) -> Blame | None:
    """Prove from two copies of one log that a host signed two entries or an owner two votes.

    The proof is either two different entries with the same table, term and number, both signed by
    the identity of one seat, or two elections of one term in which one owner voted for different
    candidates. Return None if there is no such proof: a copy that is only longer proves nothing.
    """
    if first[0].table_id != second[0].table_id:
        return None
    try:
        roster = first[0].read()
    except Unreadable:
        return None
    return _two_entries(roster, first, second) or _two_votes(roster, first, second)


def _two_entries(roster: Roster, first: Log, second: Log) -> Blame | None:
    """Blame the signer of the first two differing entries, if one seat's identity signed both."""
    keys = [seat.identity for seat in roster.seats]
    for one, two in zip(first[1], second[1], strict=False):
        if one.core == two.core:
            continue
        # Only a host signs entries, so the signer of both is guilty of equivocation.
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


def _two_votes(roster: Roster, first: Log, second: Log) -> Blame | None:
    """Blame an owner who voted for two candidates in one term, once in each copy."""
    given = {(vote.voter, vote.term): (vote, signed) for _, vote, signed in _votes(first[1])}
    differing = (
        (number, given[vote.voter, vote.term][1], signed)
        for number, vote, signed in _votes(second[1])
        if (vote.voter, vote.term) in given
        and given[vote.voter, vote.term][0].candidate != vote.candidate
    )
    for number, one, two in islice(differing, MAX_VOTE_PAIRS):
        voter = double_vote(roster, first[0].table_id, one, two)
        if voter is not None:
            return Blame(voter, Fault.DOUBLE_VOTE, 0, number, "two votes in one term")
    return None


def _votes(entries: Sequence[Entry]) -> Iterator[tuple[int, ElectionVote, SignedVote]]:
    """Yield all votes in a log with the numbers of their entries; signatures are not checked."""
    for number, entry in enumerate(entries):
        try:
            payload = entry.read().signed_body.read().payload
            for signed in payload.votes if isinstance(payload, Elect) else ():
                yield number, signed.read(), signed
        except Unreadable:
            continue
