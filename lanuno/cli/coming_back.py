"""Goes on with a table at which this profile's program was interrupted: `--resume`, host or not.

Who is the host follows from the log, so `host` and `bot` come back in the same way. Which tables
there are is read by `lanuno.store`; what comes next is `lanuno.net.table_again`.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import SystemRandom

from lanuno.bots.autoplay import Player
from lanuno.bots.pace import AT_ONCE, PACES, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import HandNotes
from lanuno.cli.narrator import Narrator
from lanuno.cli.network import Place, network_failure
from lanuno.cli.outcome import tell_outcome
from lanuno.cli.output import Failure, Output
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.cli.texts import Texts
from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import HostFault, Unreadable
from lanuno.net.endings import Ending
from lanuno.net.errors import NetError
from lanuno.net.setup import PlayedSeat, Setup
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_again import TableAgain
from lanuno.store.arrangements import load_arrangements, save_arrangements
from lanuno.store.errors import Problem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile
from lanuno.store.recollection import UnfinishedTable, remember, unfinished
from lanuno.store.table_records import TableRecords
from lanuno.table import messages
from lanuno.table.arrangements import Arrangements
from lanuno.table.errors import TableError
from lanuno.table.recall import Recall

SHORTEST_ID = 4
"""Letters of a table's id that are enough to name it."""

ID_SHOWN = 8

JUST_NOW = 120.0
"""Seconds after which nobody is waiting any more for the end of a table that is over."""


def add_resume(parser: argparse._ActionsContainer, text: Texts) -> None:
    """The option that goes on with an interrupted table: --resume."""
    parser.add_argument(
        "--resume", nargs="?", const="", metavar=text("metavar.table"), help=text("help.resume")
    )


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A table that was not played to its end here."""

    table: UnfinishedTable
    name: str
    """As it was shown to people; "" if that was not kept."""

    @property
    def id(self) -> bytes:
        """Of the table."""
        return self.table.table_id

    @property
    def shown_id(self) -> str:
        """So much of its id that a person can type it."""
        return self.id.hex()[:ID_SHOWN]

    def is_called(self, wanted: str) -> bool:
        """Whether this name, or beginning of an id, means this table."""
        by_id = len(wanted) >= SHORTEST_ID and self.id.hex().startswith(wanted.lower())
        return by_id or self.name.casefold() == wanted.casefold()

    def is_at(self, context: bytes | None) -> bool:
        """Whether this is its name on the network, of now or of its waiting room."""
        return context in (self.id, self.table.roster.lobby)

    def somebody(self, fingerprint_of: str | None) -> bytes | None:
        """The identity of somebody who sits there, by the fingerprint that a link holds."""
        seats = self.table.roster.seats
        named = [each.identity for each in seats if fingerprint(each.identity) == fingerprint_of]
        return named[0] if named else None


@dataclass(frozen=True, slots=True)
class CameBack:
    """How it went."""

    ending: Ending
    transcript: Path
    interrupted: bool
    notices: list[dict[str, object]]


def resume(args: argparse.Namespace, out: Output) -> ExitCode:
    """What `--resume` does, for whichever command."""
    profile = load_profile(args.home)
    port = getattr(args, "port", None)
    with args.home.locked():
        chosen = choose(out, args.home, profile, args.resume)
        plan = Again(
            args.home,
            profile,
            chosen,
            args.adapter,
            port,
            note_hand=args.note_hand,
            pace=PACES.get(args.bot_speed, AT_ONCE),
        )
        try:
            came = run_loop(lambda stop: come_back(plan, out, stop))
        except NetError as error:
            raise network_failure(error) from None
    return tell_came_back(out, came, args.save)


def tell_came_back(out: Output, came: CameBack, save: Path | None) -> ExitCode:
    """The end of a table that was gone on with."""
    if came.ending is Ending.LOST and not came.interrupted:
        out.error("table.lost")
    code = tell_outcome(out, came.transcript, save, came.notices)
    return ExitCode.INTERRUPTED if came.interrupted and code is ExitCode.INCOMPLETE else code


def interrupted_tables(
    home: Home, profile: Profile, damaged: list[StoreError], closed_since: float | None = None
) -> tuple[Interrupted, ...]:
    """All of a profile, newest first. Files that cannot be used go to `damaged`, and stay."""
    found = []
    for each in unfinished(
        home, profile.identity.public, damaged.append, closed_since=closed_since
    ):
        try:
            kept = load_arrangements(home, each.table_id)
        except StoreError as error:
            damaged.append(error)
            kept = None
        name = "" if kept is None else kept.name
        found.append(Interrupted(each, name))
    return tuple(found)


def choose(out: Output, home: Home, profile: Profile, wanted: str) -> Interrupted:
    """The one that is meant; "" means the only one.

    If there is none: one that this profile has just closed as its host. A `Failure` (USAGE) says
    that there is nothing, or lists several; `StoreError` if the only reason is a file that cannot
    be used.
    """
    damaged: list[StoreError] = []
    every = interrupted_tables(home, profile, damaged, time.time() - JUST_NOW)
    tables = [each for each in every if not each.table.closed]
    found = [each for each in tables if not wanted or each.is_called(wanted)]
    over = [each for each in every if each.table.closed and each.is_called(wanted or each.name)]
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
class Again:
    """Who comes back to which table."""

    home: Home
    profile: Profile
    chosen: Interrupted
    adapter: str | None
    port: int | None = None
    """Port to listen on, and no other; None for the one of before, or one that is free."""
    place: Place | None = None
    """Where somebody of the table is now, as far as the user knows."""
    identity: bytes | None = None
    """Whose place that is."""
    note_hand: Path | None = None
    pace: BotPace = AT_ONCE


@dataclass(frozen=True, slots=True)
class Met:
    """Where somebody of the table is now, as far as that is known."""

    identity: bytes | None
    address: str
    port: int


def seat_again(
    home: Home,
    profile: Profile,
    chosen: Interrupted,
    player: Player | None,
    *,
    around: Surroundings | None,
    met: Met | None = None,
    port: int | None = None,
    pace: BotPace = AT_ONCE,
) -> tuple[Recall, Setup]:
    """What is remembered of a table, and how one is at it again. Raises `StoreError`.

    `player`: who decides for the own seat; None: a person. Bots that one had there play on.
    """
    kept = load_arrangements(home, chosen.id) or Arrangements()
    remembered = remember(home, chosen.id)
    places = list(kept.places)
    for seat, info in enumerate(chosen.table.roster.seats):
        if met is not None and info.identity == met.identity:
            places.append(messages.Place(seat, met.address, met.port))
    chance = SystemRandom()
    bots = (PlayedSeat(each, SensiblePlayer(chance)) for each in remembered.bots)
    setup = Setup(
        seats=(PlayedSeat(profile.identity, player), *bots),
        records=TableRecords(home, resumed=True),
        entropy=os.urandom,
        surroundings=around,
        arrangements=kept,
        arrange=partial(save_arrangements, home),
        port=port,
        pace=pace,
    )
    return replace(remembered.recall, places=tuple(places)), setup


async def play_on(again: TableAgain, chosen: Interrupted) -> Ending:
    """Play until the table is over. Raises `StoreError`, `NetError`."""
    try:
        return await again.run()
    except (Unreadable, TableError, HostFault) as error:
        raise StoreError(Problem.DAMAGED, chosen.table.path, str(error)) from None


async def come_back(plan: Again, out: Output, stop: Interruption) -> CameBack:
    """Play on until the table is over. Raises `StoreError`, `NetError`."""
    chosen, place = plan.chosen, plan.place
    recall, setup = seat_again(
        plan.home,
        plan.profile,
        chosen,
        SensiblePlayer(SystemRandom()),
        around=Surroundings(plan.adapter),
        met=None if place is None else Met(plan.identity, place.hosts[0], place.port),
        port=plan.port,
        pace=plan.pace,
    )
    table = chosen.name or chosen.shown_id
    key = "resume.over" if chosen.table.closed else "resume.begins"
    out.progress(key, table=table, entries=len(recall.entries))
    narrator = Narrator(out, resumed=True)
    notes = HandNotes(plan.note_hand, narrator)
    again = TableAgain(recall, plan.profile.identity, setup, notes)
    notes.driver = lambda: again.driver
    stop.then_leave(out, again.leave)
    ending = await play_on(again, chosen)
    return CameBack(ending, chosen.table.path, stop.asked, narrator.notices)
