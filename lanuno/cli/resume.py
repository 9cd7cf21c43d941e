"""Resumes a table at which this profile's program was interrupted: `--resume`, host or not.

Who is the host follows from the log, so `host` and `bot` resume in the same way. `lanuno.store`
finds the tables; `lanuno.net.runtime.resume` plays on.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from lanuno.bots.pace import BOTS_ONLY_PACE, PACES, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.console import ConsoleRenderer
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import HandNotes
from lanuno.cli.network import TablePlace, network_failure
from lanuno.cli.outcome import show_outcome
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.client.resume import (
    Interrupted,
    OwnerPlace,
    interrupted_tables,
    play_resumed,
    resumed_table,
)
from lanuno.client.texts import Texts
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.resume import ResumedTable
from lanuno.store.errors import StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile

JUST_NOW = 120.0
"""Seconds after the end of a table within which others may still ask for its last entries."""


def add_resume(parser: argparse._ActionsContainer, text: Texts) -> None:
    """The option that resumes an interrupted table: --resume."""
    parser.add_argument(
        "--resume", nargs="?", const="", metavar=text("metavar.table"), help=text("help.resume")
    )


@dataclass(frozen=True, slots=True)
class ResumedMatch:
    """How a resumed table ended."""

    ending: TableEnding
    transcript: Path
    interrupted: bool
    notices: list[dict[str, object]]


def resume(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """What `--resume` does, for `host` and `bot`."""
    profile = load_profile(args.home)
    port = getattr(args, "port", None)
    with args.home.locked():
        chosen = choose_interrupted(out, args.home, profile, args.resume)
        plan = ResumeOptions(
            args.home,
            profile,
            chosen,
            args.adapter,
            port,
            note_hand=args.note_hand,
            pace=PACES.get(args.bot_speed, BOTS_ONLY_PACE),
        )
        try:
            resumed_match = run_loop(lambda stop: resume_table(plan, out, stop))
        except NetError as error:
            raise network_failure(error) from None
    return show_resumed(out, resumed_match, args.save)


def show_resumed(out: CommandOutput, resumed_match: ResumedMatch, save: Path | None) -> ExitCode:
    """Show the end of a resumed table."""
    if resumed_match.ending is TableEnding.LOST and not resumed_match.interrupted:
        out.error("table.lost")
    code = show_outcome(out, resumed_match.transcript, save, resumed_match.notices)
    return (
        ExitCode.INTERRUPTED if resumed_match.interrupted and code is ExitCode.INCOMPLETE else code
    )


def choose_interrupted(
    out: CommandOutput, home: Home, profile: Profile, wanted: str
) -> Interrupted:
    """The interrupted table that `wanted` names; "" means the only one.

    If there is none, a table that this profile closed a moment ago also counts. Raises `Failure`
    (USAGE) if nothing matches or several do; `StoreError` if a file that cannot be used is the only
    reason.
    """
    damaged: list[StoreError] = []
    every = interrupted_tables(home, profile, damaged, time.time() - JUST_NOW)
    tables = [each for each in every if not each.table.closed]
    found = [each for each in tables if not wanted or each.matches(wanted)]
    over = [each for each in every if each.table.closed and each.matches(wanted or each.name)]
    if damaged and not found and not over:
        raise damaged[0]
    for error in damaged:
        out.progress(f"store.{error.problem.name.lower()}", path=error.path)
    if len(found) == 1:
        return found[0]
    if not found and over:
        return over[0]
    out.result(tables=[_fields(each) for each in found or tables])
    for each in found or tables:
        names = ", ".join(each.table.names)
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.table.written))
        table = each.name or "?"
        out.progress("resume.table", id=each.shown_id, table=table, names=names, when=when)
    if found:
        raise Failure(ExitCode.USAGE, "resume.which")
    if tables:
        raise Failure(ExitCode.USAGE, "resume.unknown", table=wanted)
    raise Failure(ExitCode.USAGE, "resume.none")


def _fields(each: Interrupted) -> dict[str, object]:
    return {
        "id": each.id.hex(),
        "name": each.name,
        "players": list(each.table.names),
        "written": round(each.table.written),
    }


@dataclass(frozen=True, slots=True)
class ResumeOptions:
    """Which table to resume, and how."""

    home: Home
    profile: Profile
    chosen: Interrupted
    adapter: str | None
    port: int | None = None
    """The only port to listen on; None for the previous one, or a free one."""
    place: TablePlace | None = None
    """Where a player of the table is now, as far as the user knows."""
    identity: bytes | None = None
    """The player at `place`."""
    note_hand: Path | None = None
    pace: BotPace = BOTS_ONLY_PACE


async def resume_table(plan: ResumeOptions, out: CommandOutput, stop: Interruption) -> ResumedMatch:
    """Play on until the table is over. Raises `StoreError`, `NetError`."""
    chosen, place = plan.chosen, plan.place
    recovered, config = resumed_table(
        plan.home,
        plan.profile,
        chosen,
        SensiblePlayer(SystemRandom()),
        network=NetworkContext(plan.adapter),
        owner_place=None
        if place is None
        else OwnerPlace(plan.identity, place.hosts[0], place.port),
        port=plan.port,
        pace=plan.pace,
    )
    table = chosen.name or chosen.shown_id
    key = "resume.over" if chosen.table.closed else "resume.begins"
    out.progress(key, table=table, entries=len(recovered.entries))
    renderer = ConsoleRenderer(out, resumed=True)
    notes = HandNotes(plan.note_hand, renderer)
    resumed = ResumedTable(recovered, plan.profile.identity, config, notes)
    notes.runtime = lambda: resumed.runtime
    stop.leave_on_stop(out, resumed.leave)
    ending = await play_resumed(resumed, chosen)
    return ResumedMatch(ending, chosen.table.path, stop.requested, renderer.notices)
