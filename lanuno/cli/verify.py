"""`lanuno verify`: check transcripts of games, one's own or anybody's."""

from __future__ import annotations

import argparse
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import path
from lanuno.cli.output import Output
from lanuno.cli.report import EXIT_CODES, blame_fields, report_fields, show_report, worst
from lanuno.cli.texts import Texts
from lanuno.log.audit import Report, audit_bytes, fork, unreadable
from lanuno.log.faults import Blame, Verdict
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


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Audit every file; several copies of one table are compared with each other too."""
    paths: list[Path] = args.files
    several = len(paths) > 1
    reports: list[Report] = []
    copies: list[tuple[Report, Transcript]] = []
    for file in paths:
        if several:
            out.line("verify.file", file=file)
        data, problem = _load(file, out)
        report = unreadable(problem) if data is None else _audit(data, out)
        if data is not None and report.verdict is not Verdict.UNREADABLE:
            copies.append((report, read(data)))
        show_report(out, report)
        reports.append(report)
    if not several:
        out.result(**report_fields(reports[0]))
        return EXIT_CODES[reports[0].verdict]
    forks = _forks(copies)
    for report, blame in forks:
        name = blame_fields(report, blame)["player"]
        out.line("verify.fork", name=name or "", entry=blame.entry)
    verdict = Verdict.CHEATING if forks else worst(reports)
    out.result(
        verdict=verdict.value,
        files=[
            {"file": str(file), **report_fields(report)}
            for file, report in zip(paths, reports, strict=True)
        ],
        blame=[blame_fields(report, blame) for report, blame in forks],
    )
    return EXIT_CODES[verdict]


def _audit(data: bytes, out: Output) -> Report:
    def progress(done: int, total: int) -> None:
        if done % TELL_EVERY == 0:
            out.progress("verify.progress", done=done, total=total)

    return audit_bytes(data, progress)


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
    """Proofs that a host told two stories, from copies of one table that differ."""
    found: dict[tuple[bytes, Blame], Report] = {}
    for place, (report, one) in enumerate(copies):
        for _, two in copies[place + 1 :]:
            blame = fork((one.genesis, one.entries), (two.genesis, two.entries))
            if blame is not None:
                found.setdefault((report.table_id, blame), report)
    return [(report, blame) for (_, blame), report in found.items()]
