"""`lanuno verify`: check transcripts of games, one's own or anybody's."""

from __future__ import annotations

import argparse
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Output
from lanuno.cli.report import EXIT_CODES, blame_fields, report_fields, show_report, worst
from lanuno.cli.texts import Texts
from lanuno.log.audit import Report, audit_bytes, fork, unreadable
from lanuno.log.faults import Blame, Unreadable, Verdict
from lanuno.log.transcript import MAX_FILE_BYTES, Transcript, read

TELL_EVERY = 1_000
"""Entries between two lines of progress."""


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar=text("metavar.file"),
        help=text("help.verify.files"),
    )


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Audit every file; several copies of one table are compared with each other too."""
    paths: list[Path] = args.files
    reports: list[Report] = []
    transcripts: list[Transcript] = []
    for path in paths:
        data, problem = _load(path)
        if len(paths) > 1:
            out.line("verify.file", file=path)
        report = unreadable(problem) if data is None else _audit(data, out)
        if data is not None and report.verdict is not Verdict.UNREADABLE:
            transcripts.append(read(data))
        show_report(out, report)
        reports.append(report)
    forks = _forks(transcripts)
    for blame in forks:
        name = reports[0].players[blame.seat] if blame.seat is not None else ""
        out.line("verify.fork", name=name, entry=blame.entry)
    if len(reports) == 1:
        out.result(**report_fields(reports[0]))
        return EXIT_CODES[reports[0].verdict]
    verdict = Verdict.CHEATING if forks else worst(reports)
    known = next((each for each in reports if each.players), reports[0])
    out.result(
        verdict=verdict.value,
        files=[
            {"file": str(path), **report_fields(report)}
            for path, report in zip(paths, reports, strict=True)
        ],
        blame=[blame_fields(known, blame) for blame in forks],
    )
    return EXIT_CODES[verdict]


def _audit(data: bytes, out: Output) -> Report:
    def progress(done: int, total: int) -> None:
        if done % TELL_EVERY == 0:
            out.progress("verify.progress", done=done, total=total)

    return audit_bytes(data, progress)


def _load(path: Path) -> tuple[bytes | None, str]:
    """The bytes of a file, or why there are none."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return None, reason or type(error).__name__
    return data, ""


def _forks(transcripts: list[Transcript]) -> list[Blame]:
    """Proofs that a host told two stories, from copies of one table that differ."""
    found: list[Blame] = []
    for place, one in enumerate(transcripts):
        for two in transcripts[place + 1 :]:
            try:
                blame = fork((one.genesis, one.entries), (two.genesis, two.entries))
            except Unreadable:
                continue
            if blame is not None and blame not in found:
                found.append(blame)
    return found
