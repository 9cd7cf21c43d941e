"""`lanuno verify`: check transcripts of games, one's own or anybody's."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lanuno.cli.copies import apart_fields, show_apart
from lanuno.cli.exits import ExitCode
from lanuno.cli.options import path
from lanuno.cli.output import Output
from lanuno.cli.report import (
    EXIT_CODES,
    blame_fields,
    report_fields,
    show_report,
    worst,
    worst_verdict,
)
from lanuno.cli.texts import Texts
from lanuno.cli.tournament_report import (
    reports_by_table,
    show_tournament,
    tournament_fields,
)
from lanuno.log.audit import Report, unreadable
from lanuno.log.faults import Blame, Fault, Verdict
from lanuno.log.tournament import Tournament
from lanuno.store.bounded_process import MEMORY, SECONDS, Limit
from lanuno.store.errors import Problem
from lanuno.store.verification import Checked, Comparison, Outcome, Unchecked, Verified, Verifier

TELL_EVERY = 1_000
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


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Audit every file; several copies of one table are compared with each other too.

    If one of them is the genesis of a tournament, the tables among the others are put together.
    """
    files: list[Path] = args.files
    found: list[Outcome] = []
    reports: list[Report] = []

    def show(tournament: Tournament | None) -> None:
        for file, each in zip(files[len(reports) :], found[len(reports) :], strict=False):
            reports.append(_report(each, tournament, out))
            if len(files) > 1:
                out.line("verify.file", file=file)
            show_report(out, reports[-1])

    with Verifier(seconds=SECONDS, memory=MEMORY) as verifier:
        for file in files:
            found.append(_check(verifier, file, out))
            if not any(isinstance(each, Verified) and each.opens for each in found):
                show(None)
        checked = {
            number: Checked(file, each)
            for number, (file, each) in enumerate(zip(files, found, strict=True))
            if isinstance(each, Verified)
        }
        compared = verifier.compare(list(checked.values()))
    together = Comparison() if isinstance(compared, Unchecked) else compared
    # What the genesis of a tournament says depends on the tables among the other files.
    show(together.tournament)
    if together.tournament is not None:
        show_tournament(out, together.tournament)
    if len(files) == 1:
        out.result(**report_fields(reports[0]))
        return EXIT_CODES[reports[0].verdict]
    return _tell_together(files, reports, list(checked), compared, out)


def _tell_together(
    files: Sequence[Path],
    reports: Sequence[Report],
    checked: Sequence[int],
    compared: Comparison | Unchecked,
    out: Output,
) -> ExitCode:
    """What several files show; `checked`: the indexes of those that were compared."""
    verdict = worst(reports)
    fields: dict[str, object] = {}
    forks: list[tuple[Report, Blame]] = []
    tournament: Tournament | None = None
    if isinstance(compared, Unchecked):
        why = _why_not(compared, out)
        out.line("verify.not_compared", why=why)
        fields["not_compared"] = why
        verdict = worst_verdict(verdict, Verdict.INCOMPLETE)
    else:
        tournament = compared.tournament
        forks = [(reports[checked[number]], blame) for number, blame in compared.forks]
        for report, blame in forks:
            _show_fork(out, report, blame)
        apart = [
            replace(each, first=checked[each.first], second=checked[each.second])
            for each in compared.apart
        ]
        for each in apart:
            show_apart(out, files, reports, each)
        if apart:
            fields["apart"] = [apart_fields(files, reports, each) for each in apart]
            verdict = worst_verdict(verdict, Verdict.INCOMPLETE)
        if forks:
            verdict = Verdict.CHEATING
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


def _show_fork(out: Output, report: Report, blame: Blame) -> None:
    name, fault = blame_fields(report, blame)["player"] or "", out.text.member(blame.fault)
    if blame.fault is Fault.EQUIVOCATION:
        out.line("verify.fork", name=name, entry=blame.entry)
    else:
        out.line("verify.blame", name=name, fault=fault, round=blame.round, entry=blame.entry)


def _check(verifier: Verifier, file: Path, out: Output) -> Outcome:
    said = 0

    def progress(_share: float, done: int, total: int) -> None:
        nonlocal said
        if done // TELL_EVERY > said:
            said = done // TELL_EVERY
            out.progress("verify.progress", done=said * TELL_EVERY, total=total)

    return verifier.check(file, progress)


def _report(found: Outcome, tournament: Tournament | None, out: Output) -> Report:
    """What is told of a file: of the genesis of a tournament, what its tables say."""
    if isinstance(found, Verified):
        if tournament is not None and found.opens and found.bare:
            return reports_by_table(tournament).get(found.tournament, found.report)
        return found.report
    report = unreadable(_why_not(found, out))
    return report if found.limit is None else replace(report, verdict=Verdict.INCOMPLETE)


def _why_not(found: Unchecked, out: Output) -> str:
    """Why a file has no verdict, in the user's language where we have words for it."""
    if found.limit is Limit.TIME:
        return out.text("verify.too_long", seconds=round(SECONDS))
    if found.limit is Limit.MEMORY:
        return out.text("verify.too_much", megabytes=MEMORY // 2**20)
    if found.problem is Problem.TOO_LARGE:
        return out.text("verify.too_large")
    if found.problem is Problem.CONTRADICTION:
        return out.text("verify.changed")
    return found.detail or out.text("verify.missing")
