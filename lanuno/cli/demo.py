"""`lanuno demo`: a whole match on this computer, by separate programs that find each other.

One program hosts and the others are bots, each with a home, a key and a process of its own. They
are told the name of the table and nothing else; the rest is what people on a network do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import shutil
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.onlooker import look_on
from lanuno.cli.options import MAX_SEATS, add_rules, add_save, whole
from lanuno.cli.outcome import audit_file, save_transcript
from lanuno.cli.output import Failure, Output
from lanuno.cli.report import EXIT_CODES, report_fields, rounds_played, show_report, worst
from lanuno.cli.rule_choice import choose_rules, usual_seats
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.cli.tethered import LEAVE_SECONDS
from lanuno.cli.texts import Texts
from lanuno.cli.tournament import tell_demo
from lanuno.log.audit import Report
from lanuno.log.faults import Verdict
from lanuno.net.adapters import LOOPBACK_NAMES, scan
from lanuno.rules.ruleset import Format
from lanuno.store.errors import Problem, StoreError

USUAL_PLAYERS = 4
NAMES = ("Ana", "Beto", "Carla", "Diego", "Elena", "Félix", "Gala", "Hugo", "Inés", "Juan")


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    number = text("metavar.number")
    parser.add_argument(
        "--players",
        type=whole(text, 2, MAX_SEATS),
        metavar=number,
        help=text("help.demo.players"),
    )
    parser.add_argument(
        "--hands-per-rotation",
        type=whole(text, 1, 100),
        metavar=number,
        help=text("help.demo.hands"),
    )
    add_rules(parser, text)
    add_save(parser, text)


@dataclass(slots=True)
class _Program:
    """One player's program."""

    name: str
    home: Path
    process: asyncio.subprocess.Process


@dataclass(frozen=True, slots=True)
class _Trouble:
    """A program that could not play to the end by itself."""

    name: str
    code: int
    why: str

    @property
    def exit(self) -> ExitCode:
        """The exit code that says the same of the demo."""
        own = (ExitCode.FILES, ExitCode.INTERNAL)
        return ExitCode(self.code) if self.code in own else ExitCode.NETWORK


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Start the programs, wait for them, and audit what each of them kept."""
    args.players = args.players or usual_seats(args.preset, USUAL_PLAYERS)
    if args.hands_per_rotation is not None:
        args.settings.append(("hands", str(args.hands_per_rotation)))
    ruleset = choose_rules(args.preset, args.settings, args.players)
    args.home.create()
    started = time.monotonic()
    folder = _folder()
    try:
        interrupted, trouble = run_loop(args.home, lambda stop: _demo(args, folder, out, stop))
        if interrupted:
            raise KeyboardInterrupt
        if ruleset.format is Format.ROTATION:
            homes = [folder / str(number) for number in range(args.players)]
            return tell_demo(out, homes, args.save or args.home.games, time.monotonic() - started)
        found = [_transcript(folder / str(number)) for number in range(args.players)]
        files = [file for file in found if file is not None]
        if trouble is not None and (
            len(files) < len(found) or trouble.exit is not ExitCode.NETWORK
        ):
            raise Failure(
                trouble.exit, "demo.failed", name=trouble.name, code=trouble.code, why=trouble.why
            )
        reports = [audit_file(file) for file in files]
        kept = save_transcript(files[0], args.save or args.home.transcript(reports[0].table_id))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return _tell(out, reports, kept, time.monotonic() - started)


def _folder() -> Path:
    """Where the programs have their homes; goes with the demo."""
    try:
        return Path(tempfile.mkdtemp(prefix="lanuno-demo-"))
    except OSError as error:
        where = Path(tempfile.gettempdir())
        raise StoreError(Problem.NOT_WRITABLE, where, error.strerror or "") from None


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
) -> tuple[bool, _Trouble | None]:
    """Let the programs play. Whether the user ended them, and the first that had trouble."""
    table = f"Demo {secrets.token_hex(4)}"
    common = ["--adapter", _loopback(), "--lang", out.text.language]
    rules = [f"--set={key}={value}" for key, value in args.settings]
    rules += [] if args.preset is None else ["--preset", args.preset]
    rules += [] if args.rounds is None else ["--rounds", str(args.rounds)]
    programs: list[_Program] = []
    stop.then(lambda: _end(programs))
    tether, holding = os.pipe()
    looking: asyncio.Task[None] | None = None
    try:
        for number in range(args.players):
            if stop.asked:
                break
            name = NAMES[number]
            role = ["bot", "--table", table]
            if number == 0:
                role = ["host", "--table", table, "--seats", str(args.players), *rules]
            home = folder / str(number)
            programs.append(await _start([*role, "--name", name, *common], name, home, tether))
        out.progress("demo.started", number=len(programs), table=table)
        if not out.as_json:
            looking = asyncio.create_task(look_on(table, _loopback(), out))
        ends = [asyncio.create_task(_follow(each)) for each in programs]
        for end in asyncio.as_completed(ends):
            trouble = await end
            if trouble is not None and not stop.asked:
                out.progress("demo.program", **asdict(trouble))
                _end(programs)
                await asyncio.wait(ends)
                return False, trouble
    finally:
        os.close(holding)
        os.close(tether)
        if looking is not None:
            # Looking on is no part of the demo: whatever becomes of it changes nothing.
            looking.cancel()
            await asyncio.wait((looking,))
            if not looking.cancelled():
                looking.exception()
        for each in programs:
            if each.process.returncode is None:
                each.process.kill()
                await each.process.wait()
    return stop.asked, None


async def _start(arguments: list[str], name: str, home: Path, tether: int) -> _Program:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "lanuno.cli.tethered",
        *arguments,
        "--json",
        "--home",
        str(home),
        stdin=tether,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    return _Program(name, home, process)


async def _follow(program: _Program) -> _Trouble | None:
    """Wait for a program to end, and say so if it did not end well."""
    stdout = program.process.stdout
    assert stdout is not None
    said = await stdout.read()
    code = await program.process.wait()
    return None if code == ExitCode.OK else _Trouble(program.name, code, _why(said))


def _why(stdout: bytes) -> str:
    try:
        said = json.loads(stdout)
        return str(said.get("error", {}).get("text") or said.get("verdict", ""))
    except ValueError:
        return ""


def _end(programs: list[_Program]) -> None:
    """Ask all programs to leave; those that do not are killed after a while."""
    for each in programs:
        if each.process.returncode is None:
            each.process.terminate()
    asyncio.get_running_loop().call_later(LEAVE_SECONDS, _kill, programs)


def _kill(programs: list[_Program]) -> None:
    for each in programs:
        if each.process.returncode is None:
            each.process.kill()
