"""`lanuno demo`: a whole match on this computer, by separate programs that find each other.

One program hosts and the others are bots, each with a home, a key and a process of its own. They
are told the name of the table and nothing else; the rest is what people on a network do.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import shutil
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from lanuno.cli.chaos import Storm, notes_of, rage, tell_chaos
from lanuno.cli.exits import ExitCode
from lanuno.cli.onlooker import look_on
from lanuno.cli.options import MAX_SEATS, add_rules, add_save, whole
from lanuno.cli.outcome import audit_file, save_transcript
from lanuno.cli.output import Failure, Output
from lanuno.cli.report import EXIT_CODES, report_fields, rounds_played, show_report, worst
from lanuno.cli.rule_choice import choose_rules, usual_seats
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.cli.saved_rules import use_saved
from lanuno.cli.texts import Texts
from lanuno.cli.tournament import tell_demo
from lanuno.cli.troupe import Actor, Trouble, end, end_all
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
    parser.add_argument(
        "--chaos",
        type=whole(text, 0, 10**18),
        metavar=number,
        help=text("help.demo.chaos"),
    )
    add_rules(parser, text)
    add_save(parser, text)


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Start the programs, wait for them, and audit what each of them kept."""
    use_saved(args)
    args.players = args.players or usual_seats(args.preset, USUAL_PLAYERS)
    if args.hands_per_rotation is not None:
        args.settings.append(("hands", str(args.hands_per_rotation)))
    ruleset = choose_rules(args.preset, args.settings, args.players)
    if args.chaos is not None and ruleset.format is Format.ROTATION:
        raise Failure(ExitCode.USAGE, "error.tournament_chaos")
    storm = None if args.chaos is None else Storm(args.chaos)
    args.home.create()
    started = time.monotonic()
    folder = _folder()
    kept_for_inspection = False
    try:
        interrupted, trouble = run_loop(lambda stop: _demo(args, folder, storm, out, stop))
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
        if storm is not None:
            homes = [folder / str(number) for number in range(args.players)]
            tell_chaos(out, storm, homes, [file.read_bytes() for file in files], reports[0])
        kept = save_transcript(files[0], args.save or args.home.transcript(reports[0].table_id))
    except Failure:
        kept_for_inspection = storm is not None
        raise
    finally:
        if kept_for_inspection:
            out.progress("chaos.kept", folder=folder)
        else:
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


@dataclass(frozen=True, slots=True)
class _Cast:
    """Who plays what: how the programs are started, for the first time and again."""

    table: str
    players: int
    language: str
    rules: tuple[str, ...]
    notes: bool
    """Whether each program notes its own hand."""
    log: str | None
    """How much each of them logs."""

    def first(self, number: int, home: Path) -> list[str]:
        """The arguments of one player's program."""
        role = ["bot", "--table", self.table]
        if number == 0:
            role = ["host", "--table", self.table, "--seats", str(self.players), *self.rules]
        return [*role, "--name", NAMES[number], *self._common(home)]

    def again(self, actor: Actor) -> list[str]:
        """The same after it was killed."""
        role = "host" if actor.name == NAMES[0] else "bot"
        return [role, "--resume", *self._common(actor.home)]

    def _common(self, home: Path) -> list[str]:
        notes = ["--note-hand", str(notes_of(home))] if self.notes else []
        log = [] if self.log is None else ["--log", self.log]
        return ["--adapter", _loopback(), "--lang", self.language, *log, *notes]


def _cast(args: argparse.Namespace, out: Output) -> _Cast:
    rules = [f"--set={key}={value}" for key, value in args.settings]
    rules += [] if args.preset is None else ["--preset", args.preset]
    rules += [] if args.rounds is None else ["--rounds", str(args.rounds)]
    table = f"Demo {secrets.token_hex(4)}"
    chaos = args.chaos is not None
    return _Cast(table, args.players, out.text.language, tuple(rules), chaos, args.log)


async def _demo(
    args: argparse.Namespace, folder: Path, storm: Storm | None, out: Output, stop: Interruption
) -> tuple[bool, Trouble | None]:
    """Let the programs play. Whether the user ended them, and the first that had trouble."""
    cast = _cast(args, out)
    actors: list[Actor] = []
    besides: list[asyncio.Task[None]] = []

    def leave() -> None:
        for each in besides:
            each.cancel()
        end(actors)

    def calm(storming: asyncio.Task[None]) -> None:
        if not storming.cancelled() and storming.exception() is not None:
            leave()

    stop.then(leave)
    tether, holding = os.pipe()
    try:
        for number in range(args.players):
            if stop.asked:
                break
            home = folder / str(number)
            arguments = cast.first(number, home)
            actors.append(await Actor.start(arguments, NAMES[number], home, tether))
        out.progress("demo.started", number=len(actors), table=cast.table)
        if storm is not None and not stop.asked:
            storming = asyncio.create_task(rage(actors, storm, cast.again, out))
            storming.add_done_callback(calm)
            besides.append(storming)
        elif not out.as_json:
            besides.append(asyncio.create_task(look_on(cast.table, _loopback(), out)))
        ends = [asyncio.create_task(each.follow()) for each in actors]
        for ended in asyncio.as_completed(ends):
            trouble = await ended
            if trouble is not None and not stop.asked:
                out.progress("demo.program", **asdict(trouble))
                leave()
                await asyncio.wait(ends)
                return False, trouble
    finally:
        os.close(holding)
        os.close(tether)
        for task in besides:
            task.cancel()
            await asyncio.wait((task,))
        await end_all(actors)
    for task in besides:
        # Looking on is no part of the demo: whatever becomes of it changes nothing.
        if not task.cancelled() and task.exception() is not None and storm is not None:
            task.result()
    return stop.asked, None
