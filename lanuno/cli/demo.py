"""`lanuno demo`: play a whole match on this computer between separate programs.

One program hosts and the others are bots. Each has its own home, key and process. They receive the
name of the table and find it on the network as any other player does.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import secrets
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import asdict

from lanuno.cli.chaos import ChaosRun, notes_file, show_chaos
from lanuno.cli.child_processes import ChildFailure, ChildProgram, kill_children, stop_children
from lanuno.cli.console import ConsoleRenderer, warn_if_too_long
from lanuno.cli.exits import ExitCode
from lanuno.cli.interruption import Interruption
from lanuno.cli.interruption import run as run_loop
from lanuno.cli.options import add_number, add_rules, add_save
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.report import EXIT_CODES, report_fields, rounds_played, show_report, worst
from lanuno.cli.rule_choice import choose_rules, refuse_rounds, use_saved, usual_seats
from lanuno.cli.tournament import show_demo
from lanuno.client.events import HostReached, SessionEvent
from lanuno.client.requests import JoinRequest
from lanuno.client.session import TableSession
from lanuno.client.texts import Texts
from lanuno.client.transcripts import audit_file, save_transcript
from lanuno.log.audit.audit import Report
from lanuno.log.faults import AuditVerdict
from lanuno.net.transport.adapters import LOOPBACK_NAMES, scan
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.match.tournament import is_tournament
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home

USUAL_PLAYERS = 4
SPECTATOR_SECONDS = 30.0
"""How long the demo waits for its spectator to find the table, and to show the end of the match."""
PLAYER_NAMES = ("Ana", "Beto", "Carla", "Diego", "Elena", "Félix", "Gala", "Hugo", "Inés", "Juan")


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    add_number(parser, text, "--players", "help.demo.players", 2, MAX_SEATS)
    add_number(parser, text, "--hands-per-rotation", "help.demo.hands", 1, 100)
    add_number(parser, text, "--chaos", "help.demo.chaos", 0, 10**18)
    add_rules(parser, text)
    add_save(parser, text)


def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Start the programs, wait for them, and audit the transcript of each."""
    use_saved(args)
    args.players = args.players or usual_seats(args.preset, USUAL_PLAYERS)
    if args.hands_per_rotation is not None:
        args.settings.append(("hands", str(args.hands_per_rotation)))
    ruleset = choose_rules(args.preset, args.settings, args.players)
    # Fewer than eight players play one match, as at one table of a tournament.
    tournament = is_tournament(ruleset, args.players)
    refuse_rounds(ruleset, args.players, args.rounds)
    if args.chaos is not None and tournament:
        raise Failure(ExitCode.USAGE, "error.tournament_chaos")
    chaos_run = None if args.chaos is None else ChaosRun(args.chaos, out)
    if chaos_run is not None or out.as_json:  # else a spectator says so
        warn_if_too_long(out, ruleset, args.players, args.rounds)
    args.home.create()
    started = time.monotonic()
    folder = _folder()
    homes = [folder / str(number) for number in range(args.players)]
    kept_for_inspection = False
    try:
        interrupted, failure = run_loop(lambda stop: _demo(args, homes, chaos_run, out, stop))
        if interrupted:
            raise KeyboardInterrupt
        if tournament:
            return show_demo(out, homes, args.save or args.home.games, time.monotonic() - started)
        files = [file for home in homes for file in sorted((home / "games").glob("*.lanuno"))[:1]]
        if failure is not None and (
            len(files) < len(homes) or failure.exit is not ExitCode.NETWORK
        ):
            raise Failure(
                failure.exit, "demo.failed", name=failure.name, code=failure.code, why=failure.why
            )
        reports = [audit_file(file) for file in files]
        if chaos_run is not None:
            show_chaos(chaos_run, homes, [file.read_bytes() for file in files], reports[0])
        kept = save_transcript(files[0], args.save or args.home.transcript(reports[0].table_id))
    except Failure:
        kept_for_inspection = chaos_run is not None
        raise
    finally:
        if kept_for_inspection:
            out.progress("chaos.kept", folder=folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return _show(out, reports, kept, time.monotonic() - started)


def _folder() -> Path:
    """Create the temporary folder that holds the homes of the programs."""
    try:
        return Path(tempfile.mkdtemp(prefix="lanuno-demo-"))
    except OSError as error:
        where = Path(tempfile.gettempdir())
        raise StoreError(FileProblem.NOT_WRITABLE, where, error.strerror or "") from None


def _show(out: CommandOutput, reports: list[Report], kept: Path, seconds: float) -> ExitCode:
    """Show the host's report with the worst verdict of all copies; return its exit code."""
    report = reports[0]
    verdict = worst(reports)
    if len({(each.table_id, each.entries, each.scores) for each in reports}) > 1:
        verdict = AuditVerdict.INCOMPLETE if verdict is AuditVerdict.VERIFIED else verdict
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
    show_report(out, report, briefly=True)
    out.line("demo.copies", number=len(reports))
    out.line("table.kept", file=kept)
    return EXIT_CODES[verdict]


def _loopback() -> str:
    """Return the adapter that reaches only this computer."""
    return next((each.name for each in scan() if each.loopback), min(LOOPBACK_NAMES))


class _ChildArguments:
    """The command-line arguments of the child programs, for a first start and for a resume."""

    def __init__(self, args: argparse.Namespace, language: str) -> None:
        """`args`: those of the demo."""
        self.table = f"Demo {secrets.token_hex(4)}"
        self._notes_hands = args.chaos is not None
        self._host = ["host", "--table", self.table, "--seats", str(args.players)]
        self._host += [f"--set={key}={value}" for key, value in args.settings]
        self._host += [] if args.preset is None else ["--preset", args.preset]
        self._host += [] if args.rounds is None else ["--rounds", str(args.rounds)]
        self._common = ["--adapter", _loopback(), "--lang", language]
        self._common += [] if args.log is None else ["--log", args.log]
        self._common += ["--debug"] if args.debug else []

    def start(self, number: int, home: Path) -> list[str]:
        """Return the arguments for the first start of one player's program."""
        role = self._host if number == 0 else ["bot", "--table", self.table]
        return [*role, "--name", PLAYER_NAMES[number], *self._common, *self._notes(home)]

    def resume(self, child: ChildProgram) -> list[str]:
        """Return the arguments to restart a program after it was killed."""
        role = "host" if child.name == PLAYER_NAMES[0] else "bot"
        return [role, "--resume", *self._common, *self._notes(child.home)]

    def _notes(self, home: Path) -> list[str]:
        return ["--note-hand", str(notes_file(home))] if self._notes_hands else []


async def _demo(
    args: argparse.Namespace,
    homes: Sequence[Path],
    chaos_run: ChaosRun | None,
    out: CommandOutput,
    stop: Interruption,
) -> tuple[bool, ChildFailure | None]:
    """Let the programs play. Return whether the user stopped them, and the first failure."""
    child_arguments = _ChildArguments(args, out.text.language)
    children: list[ChildProgram] = []
    child_tasks: list[asyncio.Task[ChildFailure | None]] = []
    spectator = None
    if chaos_run is None and not out.as_json:
        spectator = _Spectator(homes[0].with_name("spectator"), child_arguments.table, out)
    side_tasks = [] if spectator is None else [spectator.task]

    def leave() -> None:
        for each in side_tasks:
            each.cancel()
        stop_children(children)

    stop.on_stop(leave)
    try:
        for number, home in enumerate(homes):
            if stop.requested or any(task.done() for task in child_tasks):
                break
            arguments = child_arguments.start(number, home)
            children.append(ChildProgram.start(arguments, PLAYER_NAMES[number], home))
            child_tasks.append(asyncio.create_task(children[-1].wait()))
            if number == 0 and spectator is not None:
                await spectator.at_table(child_tasks[0])
        out.progress("demo.started", number=len(children), table=child_arguments.table)
        if chaos_run is not None and not stop.requested:
            side_tasks.append(asyncio.create_task(chaos_run.run(children, child_arguments.resume)))
            side_tasks[0].add_done_callback(lambda task: leave() if _has_failed(task) else None)
        failure = await _first_failure(child_tasks, stop)
        if failure is not None:
            out.progress("demo.program", **asdict(failure))
            leave()
            await asyncio.wait(child_tasks)
            return False, failure
        if spectator is not None and not stop.requested:
            await spectator.end()
    finally:
        for task in side_tasks:
            task.cancel()
            await asyncio.wait((task,))
        await kill_children(children)
    for task in side_tasks:
        # The spectator is not part of the match, so its errors are ignored.
        if chaos_run is not None and _has_failed(task):
            task.result()
    return stop.requested, None


def _has_failed(task: asyncio.Task[None]) -> bool:
    return not task.cancelled() and task.exception() is not None


async def _first_failure(
    child_tasks: Sequence[asyncio.Task[ChildFailure | None]], stop: Interruption
) -> ChildFailure | None:
    """Wait for the programs. Return the first failure that the user did not cause, or None."""
    for ended in asyncio.as_completed(child_tasks):
        failure = await ended
        if failure is not None and not stop.requested:
            return failure
    return None


class _Spectator:
    """A spectator in this program, who watches the match and prints its moves."""

    def __init__(self, folder: Path, table: str, out: CommandOutput) -> None:
        """Begin to look for the table of this name. Cancel `task` to stop."""
        self._table = table
        self._renderer = ConsoleRenderer(out)
        self._reached = asyncio.Event()
        self.task = asyncio.create_task(self._watch(Home.at(folder)))

    async def _watch(self, home: Home) -> None:
        home.create()
        request = JoinRequest(
            table=self._table,
            watch=True,
            player_name="LanUNO",
            seconds=math.inf,
            adapter=_loopback(),
        )
        await TableSession(home, request, self._observe, snapshots=False).run()

    def _observe(self, event: SessionEvent) -> None:
        if isinstance(event, HostReached):
            self._reached.set()
        self._renderer(event)

    async def at_table(self, host: asyncio.Task[ChildFailure | None]) -> None:
        """Wait for the spectator: a short match could be over before it has found the table.

        There is nothing to wait for once the host's program has ended.
        """
        reached = asyncio.create_task(self._reached.wait())
        await asyncio.wait(
            (self.task, host, reached),
            timeout=SPECTATOR_SECONDS,
            return_when=asyncio.FIRST_COMPLETED,
        )
        reached.cancel()

    async def end(self) -> None:
        """Wait until the spectator, if it has found the table, has shown the end of the match."""
        if self._reached.is_set():
            await asyncio.wait((self.task,), timeout=SPECTATOR_SECONDS)
