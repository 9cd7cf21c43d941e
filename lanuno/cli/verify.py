"""`lanuno verify`: check transcripts of one's own or other people's games."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import path
from lanuno.cli.output import CommandOutput
from lanuno.cli.report import (
    EXIT_CODES,
    blame_fields,
    report_fields,
    seat_name,
    show_blame,
    show_report,
    winner_names,
    worst,
    worst_verdict,
)
from lanuno.cli.tournament_report import show_tournament, tournament_fields, tournament_report
from lanuno.client.texts import Texts
from lanuno.log.audit.audit import Report, unreadable_report
from lanuno.log.audit.copies import CopyFork
from lanuno.log.faults import AuditVerdict, Blame, Fault
from lanuno.log.tournament import TournamentReplay
from lanuno.store.errors import FileProblem
from lanuno.store.verification import (
    ComparableFile,
    Comparison,
    Unchecked,
    VerificationResult,
    Verified,
    Verifier,
)
from lanuno.system.bounded_process import MEMORY_BYTES, PROCESSOR_SECONDS, WorkLimit

Copies = tuple[tuple[Path, Report], tuple[Path, Report]]
"""Two copies of one table's log: their files, and the reports on each alone."""

PROGRESS_ENTRIES = 1_000
"""Entries between two lines of progress."""


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "files",
        nargs="+",
        type=path(text),
        metavar=text("metavar.file"),
        help=text("help.verify.files"),
    )


def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Audit every file, and compare several copies of one table with each other.

    If one file is the genesis of a tournament, its tables among the other files are combined.
    """
    files: list[Path] = args.files
    found: list[VerificationResult] = []
    reports: list[Report] = []

    def show(tournament: TournamentReplay | None) -> None:
        for file, each in zip(files[len(reports) :], found[len(reports) :], strict=False):
            reports.append(_report(file, each, tournament, out))
            if len(files) > 1:
                out.line("verify.file", file=file)
            show_report(out, reports[-1])

    with Verifier(seconds=PROCESSOR_SECONDS, memory=MEMORY_BYTES) as verifier:
        for file in files:
            found.append(_check(verifier, file, out))
            if not any(isinstance(each, Verified) and each.opens_tournament for each in found):
                show(None)
        checked = {
            number: ComparableFile(files[number], each)
            for number, each in enumerate(found)
            if isinstance(each, Verified)
        }
        compared = verifier.compare(list(checked.values()))
    together = Comparison() if isinstance(compared, Unchecked) else compared
    # The report on the genesis of a tournament depends on the tables among the other files.
    show(together.tournament)
    if together.tournament is not None:
        show_tournament(out, together.tournament)
    if len(files) == 1:
        out.result(**report_fields(reports[0]))
        return EXIT_CODES[reports[0].verdict]
    return _show_together(files, reports, list(checked), compared, out)


def _show_together(
    files: Sequence[Path],
    reports: Sequence[Report],
    checked: Sequence[int],
    compared: Comparison | Unchecked,
    out: CommandOutput,
) -> ExitCode:
    """Show the combined result of several files. `checked`: indexes of those compared."""
    verdict = worst(reports)
    fields: dict[str, object] = {}
    forks: list[tuple[Report, Blame]] = []
    tournament: TournamentReplay | None = None
    if isinstance(compared, Unchecked):
        why = _why_not(compared, out)
        out.line("verify.not_compared", why=why)
        fields["not_compared"] = why
        verdict = worst_verdict(verdict, AuditVerdict.INCOMPLETE)
    else:
        tournament = compared.tournament
        copies = [(files[number], reports[number]) for number in checked]
        forks = [(copies[number][1], blame) for number, blame in compared.proven_faults]
        for report, blame in forks:
            _show_proven_fault(out, report, blame)
        apart = [
            ((copies[each.first], copies[each.second]), each.fork)
            for each in compared.forked_copies
        ]
        for both, fork in apart:
            _show_fork(out, both, fork)
        if apart:
            fields["apart"] = [_fork_fields(both, fork) for both, fork in apart]
            verdict = worst_verdict(verdict, AuditVerdict.INCOMPLETE)
        if forks:
            verdict = AuditVerdict.CHEATING
    out.result(
        verdict=verdict.value,
        files=[
            {"file": str(file), **report_fields(report)}
            for file, report in zip(files, reports, strict=True)
        ],
        blame=[blame_fields(report, blame) for report, blame in forks],
        **fields,
    )
    if tournament is not None:
        out.result(tournament=tournament_fields(tournament))
    return EXIT_CODES[verdict]


def _show_proven_fault(out: CommandOutput, report: Report, blame: Blame) -> None:
    if blame.fault is Fault.EQUIVOCATION:
        out.line("verify.fork", name=seat_name(report, blame.seat) or "", entry=blame.entry)
    else:
        show_blame(out, report, blame)


def _check(verifier: Verifier, file: Path, out: CommandOutput) -> VerificationResult:
    shown = 0

    def progress(_share: float, done: int, total: int) -> None:
        nonlocal shown
        if done // PROGRESS_ENTRIES > shown:
            shown = done // PROGRESS_ENTRIES
            out.progress("verify.progress", done=shown * PROGRESS_ENTRIES, total=total)

    return verifier.check(file, progress)


def _report(
    file: Path, found: VerificationResult, tournament: TournamentReplay | None, out: CommandOutput
) -> Report:
    """Return the report on a file; that on a tournament genesis is built from its tables."""
    if isinstance(found, Verified):
        alone = found.opens_tournament and found.genesis_only
        if alone and tournament is not None and tournament.id == found.tournament:
            return tournament_report(tournament)
        return found.report
    report = unreadable_report(_why_not(found, out, file))
    return report if found.limit is None else replace(report, verdict=AuditVerdict.INCOMPLETE)


def _why_not(found: Unchecked, out: CommandOutput, file: Path | None = None) -> str:
    """Return why a file has no verdict, or why several were not compared."""
    if found.limit is WorkLimit.TIME:
        return out.text("verify.too_long", seconds=round(PROCESSOR_SECONDS))
    if found.limit is WorkLimit.MEMORY:
        return out.text("verify.too_much", megabytes=MEMORY_BYTES // 2**20)
    if found.limit is WorkLimit.KILLED:
        return out.text("verify.killed")
    if found.limit is WorkLimit.NOT_STARTED:
        return out.text("verify.not_started")
    if found.problem is FileProblem.TOO_LARGE:
        return out.text("verify.too_large")
    problem = found.problem
    if file is None or problem is None or problem is FileProblem.CONTRADICTION:
        return out.text("verify.changed")
    return out.text.member(problem, path=file)


def _fork_fields(copies: Copies, fork: CopyFork) -> dict[str, object]:
    """Return two copies that fork, as JSON."""
    report = copies[0][1]
    return {
        "table_id": report.table_id.hex(),
        "entry": fork.entry,
        "copies": [
            {
                "file": str(file),
                "verdict": each.verdict.value,
                "closed": each.closed is not None,
                "winner": winner_names(each),
            }
            for file, each in copies
        ],
        "suspected": [
            {
                "player": seat_name(report, each.seat),
                "voted_in": str(copies[each.copy][0]),
                "entry": each.entry,
                "claimed": each.claimed,
                "held": each.held,
                "shown_in": str(copies[1 - each.copy][0]),
                "shown_by": each.shown,
            }
            for each in fork.contradictions
        ],
    }


def _show_fork(out: CommandOutput, copies: Copies, fork: CopyFork) -> None:
    """Show which copies fork and where, the verdict on each copy alone, and the suspects."""
    (first, report), (second, _) = copies
    closed = all(each.closed is not None for _, each in copies)
    key = "verify.apart_closed" if closed else "verify.apart"
    out.line(key, first=first, second=second, entry=fork.entry)
    for file, each in copies:
        winner = winner_names(each)
        verdict = out.text.member(each.conclusion, entries=each.entries)
        key = "verify.alone" if winner is None else "verify.alone_winner"
        out.line(key, file=file, verdict=verdict, name=winner or "")
    out.line("verify.undecided")
    for denial in fork.contradictions:
        out.line(
            "verify.suspected",
            name=seat_name(report, denial.seat) or "",
            file=copies[denial.copy][0],
            entry=denial.entry,
            claimed=denial.claimed,
            other=copies[1 - denial.copy][0],
            shown=denial.shown,
            held=denial.held,
        )
    if fork.contradictions:
        out.line("verify.suspected_only")
