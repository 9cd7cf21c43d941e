"""`lanuno verify`: check transcripts of games, one's own or anybody's."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import path
from lanuno.cli.output import Output
from lanuno.cli.report import EXIT_CODES, blame_fields, report_fields, show_report, worst
from lanuno.cli.texts import Texts
from lanuno.cli.time_limit import SECONDS, TooLong, in_time
from lanuno.cli.tournament_report import (
    reports_by_table,
    show_tournament,
    tournament_fields,
)
from lanuno.log.audit import Report, audit_bytes, fork, unreadable
from lanuno.log.faults import Blame, Fault, Unreadable, Verdict
from lanuno.log.tournament import Tournament
from lanuno.log.transcript import MAX_FILE_BYTES, Transcript, read
from lanuno.store.durable import read_bounded
from lanuno.store.errors import Problem, StoreError

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


@dataclass(frozen=True, slots=True)
class _File:
    """One file, as far as it could be read."""

    path: Path
    data: bytes | None
    transcript: Transcript | None
    problem: str


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Audit every file; several copies of one table are compared with each other too.

    If one of them is the genesis of a tournament, the tables among the others are put together.
    """
    files = [_read(file, out) for file in args.files]
    transcripts = [each.transcript for each in files if each.transcript is not None]
    tournament = _tournament(transcripts)
    known = {} if tournament is None else _known(tournament, transcripts)
    reports: list[Report] = []
    for file in files:
        if len(files) > 1:
            out.line("verify.file", file=file.path)
        report = known.get(id(file.transcript))
        if report is None:
            report = unreadable(file.problem) if file.data is None else _audit(file.data, out)
        show_report(out, report)
        reports.append(report)
    if tournament is not None:
        show_tournament(out, tournament)
    if len(files) == 1:
        out.result(**report_fields(reports[0]))
        return EXIT_CODES[reports[0].verdict]
    copies = [
        (report, file.transcript)
        for file, report in zip(files, reports, strict=True)
        if file.transcript is not None and report.verdict is not Verdict.UNREADABLE
    ]
    forks = _forks(copies)
    for report, blame in forks:
        name, fault = blame_fields(report, blame)["player"] or "", out.text.member(blame.fault)
        if blame.fault is Fault.EQUIVOCATION:
            out.line("verify.fork", name=name, entry=blame.entry)
        else:
            out.line("verify.blame", name=name, fault=fault, round=blame.round, entry=blame.entry)
    verdict = Verdict.CHEATING if forks else worst(reports)
    out.result(
        verdict=verdict.value,
        files=[
            {"file": str(file.path), **report_fields(report)}
            for file, report in zip(files, reports, strict=True)
        ],
        blame=[blame_fields(report, blame) for report, blame in forks],
    )
    if tournament is not None:
        out.result(tournament=tournament_fields(tournament))
    return EXIT_CODES[verdict]


def _read(file: Path, out: Output) -> _File:
    data, problem = _load(file, out)
    if data is None:
        return _File(file, None, None, problem)
    try:
        return _File(file, data, read(data), "")
    except Unreadable:
        return _File(file, data, None, "")


def _tournament(transcripts: Sequence[Transcript]) -> Tournament | None:
    """The tournament that these files belong to, if its genesis is among them."""
    for each in transcripts:
        try:
            tournament = Tournament(each.genesis)
        except Unreadable:
            continue
        tournament.gather(transcripts)
        return tournament
    return None


def _known(tournament: Tournament, transcripts: Sequence[Transcript]) -> dict[int, Report]:
    """The reports that were made while a tournament was put together, by identity of the files.

    Of a table of which there are several copies it is not known which one was looked at: what is
    true of one says nothing about another.
    """
    reports = reports_by_table(tournament)
    copies = Counter(each.genesis.table_id for each in transcripts)
    found: dict[int, Report] = {}
    for each in transcripts:
        table = each.genesis.table_id
        bare = table == tournament.id and not each.entries and not each.torn
        if table in reports and (bare or (table != tournament.id and copies[table] == 1)):
            found[id(each)] = reports[table]
    return found


def _audit(data: bytes, out: Output) -> Report:
    def progress(done: int, total: int) -> None:
        if done % TELL_EVERY == 0:
            out.progress("verify.progress", done=done, total=total)

    try:
        return audit_bytes(data, in_time(progress, SECONDS))
    except TooLong:
        why = out.text("verify.too_long", seconds=round(SECONDS))
        return replace(unreadable(why), verdict=Verdict.INCOMPLETE)


def _load(file: Path, out: Output) -> tuple[bytes | None, str]:
    """The bytes of a file, or why there are none. What is no plain file is not even waited for."""
    try:
        data = read_bounded(file, MAX_FILE_BYTES)
        if data is not None:
            return data, ""
        why = out.text("verify.missing")
    except StoreError as error:
        too_large = error.problem is Problem.TOO_LARGE
        why = out.text("verify.too_large") if too_large else error.detail
    return None, why


def _forks(copies: list[tuple[Report, Transcript]]) -> list[tuple[Report, Blame]]:
    """Proofs that a host told two stories, or an owner elected two, from copies that differ."""
    found: dict[tuple[bytes, Blame], Report] = {}
    for place, (report, one) in enumerate(copies):
        for _, two in copies[place + 1 :]:
            blame = fork((one.genesis, one.entries), (two.genesis, two.entries))
            if blame is not None:
                found.setdefault((report.table_id, blame), report)
    return [(report, blame) for (_, blame), report in found.items()]
