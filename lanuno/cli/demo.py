"""`lanuno demo`: a whole match on this computer, by separate programs that find each other.

One program hosts and the others are bots, each with a home, a key and a process of its own. They
are told the name of the table and nothing else; the rest is what people on a network do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import MAX_SEATS, add_rules, add_save, whole
from lanuno.cli.outcome import audit_file, save_transcript
from lanuno.cli.output import Failure, Output
from lanuno.cli.report import EXIT_CODES, report_fields, rounds_played, show_report, worst
from lanuno.cli.rule_choice import choose_rules
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.cli.texts import Texts
from lanuno.log.audit import Report
from lanuno.log.faults import Verdict
from lanuno.net.adapters import LOOPBACK_NAMES, scan

NAMES = ("Ana", "Beto", "Carla", "Diego", "Elena", "Félix", "Gala", "Hugo", "Inés", "Juan")


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    number = text("metavar.number")
    parser.add_argument(
        "--players",
        type=whole(text, 2, MAX_SEATS),
        default=4,
        metavar=number,
        help=text("help.demo.players"),
    )
    add_rules(parser, text)
    add_save(parser, text)


@dataclass(slots=True)
class _Program:
    """One player's program."""

    name: str
    home: Path
    process: asyncio.subprocess.Process


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Start the programs, wait for them, and audit what each of them kept."""
    choose_rules(args.preset, args.settings, args.players)
    args.home.create()
    started = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="lanuno-demo-"))
    try:
        codes = run_loop(lambda stop: _demo(args, folder, out, stop))
        if codes is None:
            return ExitCode.INTERRUPTED
        files = [_transcript(folder / str(number)) for number in range(args.players)]
        if any(file is None for file in files):
            raise Failure(ExitCode.NETWORK, "demo.failed", codes=", ".join(map(str, codes)))
        reports = [audit_file(file) for file in files if file is not None]
        first = files[0]
        assert first is not None
        save = args.save or args.home.transcript(reports[0].table_id)
        kept = save_transcript(first, save)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return _tell(out, reports, kept, time.monotonic() - started)


def _tell(out: Output, reports: list[Report], kept: Path, seconds: float) -> ExitCode:
    """The host's own report, and the worst verdict of all."""
    report = reports[0]
    verdict = worst(reports)
    if len({(each.table_id, each.entries, each.scores) for each in reports}) > 1:
        verdict = Verdict.INCOMPLETE if verdict is Verdict.VERIFIED else verdict
    fields = report_fields(report)
    fields.update(
        verdict=verdict.value,
        rounds=rounds_played(report),
        players=list(report.players),
        transcript=str(kept),
        seconds=round(seconds, 1),
        copies=len(reports),
    )
    out.result(**fields)
    show_report(out, report)
    out.line("demo.copies", number=len(reports))
    out.line("table.kept", file=kept)
    return EXIT_CODES[verdict]


def _transcript(home: Path) -> Path | None:
    found = sorted((home / "games").glob("*.lanuno"))
    return found[0] if found else None


def _loopback() -> str:
    """The adapter that reaches this computer alone."""
    for adapter in scan():
        if adapter.loopback:
            return adapter.name
    return min(LOOPBACK_NAMES)


async def _demo(
    args: argparse.Namespace, folder: Path, out: Output, stop: Interruption
) -> list[int] | None:
    table = f"Demo {secrets.token_hex(4)}"
    common = ["--adapter", _loopback(), "--lang", out.text.language]
    rules = [f"--set={key}={value}" for key, value in args.settings]
    rules += [] if args.preset is None else ["--preset", args.preset]
    rules += [] if args.rounds is None else ["--rounds", str(args.rounds)]
    programs: list[_Program] = []
    stop.then(lambda: _interrupt(programs))
    try:
        for number in range(args.players):
            name = NAMES[number]
            role = ["bot", "--table", table]
            if number == 0:
                role = ["host", "--table", table, "--seats", str(args.players), *rules]
            home = folder / str(number)
            programs.append(await _start([*role, "--name", name, *common], name, home))
        out.progress("demo.started", number=len(programs), table=table)
        results = await asyncio.gather(*(_follow(each, programs, out) for each in programs))
    finally:
        for each in programs:
            if each.process.returncode is None:
                each.process.kill()
                await each.process.wait()
    return None if stop.asked else list(results)


async def _start(arguments: list[str], name: str, home: Path) -> _Program:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "lanuno.cli.main",
        *arguments,
        "--json",
        "--home",
        str(home),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    return _Program(name, home, process)


async def _follow(program: _Program, programs: list[_Program], out: Output) -> int:
    """Wait for a program to end; one that could not play ends the demo."""
    stdout, _ = await program.process.communicate()
    code = program.process.returncode or 0
    if code not in (ExitCode.OK, ExitCode.INTERRUPTED):
        out.progress("demo.program", name=program.name, code=code, why=_why(stdout))
        _interrupt(programs)
    return code


def _why(stdout: bytes) -> str:
    try:
        said = json.loads(stdout)
        return str(said.get("error", {}).get("text") or said.get("verdict", ""))
    except ValueError:
        return ""


def _interrupt(programs: list[_Program]) -> None:
    for each in programs:
        if each.process.returncode is None:
            each.process.terminate()
