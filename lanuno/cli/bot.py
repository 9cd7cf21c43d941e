"""`lanuno bot`: sit down at a table as a bot, on one's own computer."""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import SystemRandom

from lanuno.bots.pace import AT_ONCE, PACES, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.coming_back import (
    Again,
    CameBack,
    Interrupted,
    add_resume,
    come_back,
    interrupted_tables,
    resume,
    tell_came_back,
)
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import HandNotes, add_notes
from lanuno.cli.narrator import Narrator
from lanuno.cli.network import OTHERS, Place, find_table, network_failure, place_of
from lanuno.cli.newcomer import checked_pin, sitting_down
from lanuno.cli.options import add_bot_speed, add_network, add_save, seconds
from lanuno.cli.outcome import tell_outcome
from lanuno.cli.output import Failure, Output
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.cli.texts import Texts
from lanuno.cli.tournament import Tourney, entrant, play_tournament, tell_tournament
from lanuno.net.channel import Channel
from lanuno.net.client import connect
from lanuno.net.endings import Ending
from lanuno.net.errors import Fault, NetError
from lanuno.net.setup import PlayedSeat, Setup
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_peer import TablePeer
from lanuno.store.arrangements import save_arrangements
from lanuno.store.paths import Home
from lanuno.store.profile import Profile
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby_peer import Seating
from lanuno.table.messages import LobbyRefusal

PATIENCE = 30.0
"""Seconds to wait for a table to appear, and to get in."""

RETRY = 0.5
"""Seconds between two tries to get in, on average."""

PASSING = frozenset({Fault.TLS, Fault.LOST, Fault.CLOSED, Fault.TIMEOUT, Fault.FULL})
"""What a host with a crowd at its door answers to those who come at the same moment."""


STALE = frozenset({Fault.UNREACHABLE, Fault.WRONG_TABLE})
"""What may be at a place that was announced: a table that has just begun, or gone."""


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    name = text("metavar.name")
    where = parser.add_mutually_exclusive_group(required=True)
    add_resume(where, text)
    where.add_argument("--table", metavar=name, help=text("help.bot.table"))
    where.add_argument(
        "where", nargs="?", metavar=text("metavar.where"), help=text("help.bot.where")
    )
    parser.add_argument("--name", metavar=name, help=text("help.player.name"))
    parser.add_argument("--pin", metavar=text("metavar.pin"), default="", help=text("help.pin"))
    parser.add_argument(
        "--seconds",
        type=seconds(text, 0.1, 3600),
        default=PATIENCE,
        metavar=text("metavar.seconds"),
        help=text("help.bot.seconds"),
    )
    add_save(parser, text)
    add_bot_speed(parser, text)
    add_network(parser, text)
    add_notes(parser, text)


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Play one match at somebody's table, or go on with one."""
    if args.resume is not None:
        return _resume(args, out)
    pin = checked_pin(args.pin)
    if args.table is not None and not args.table.strip():
        raise Failure(ExitCode.USAGE, "error.table_name")
    place = None if args.table is not None else place_of(args.where)
    profile, name = sitting_down(args.name, args.home)
    with args.home.locked():
        # What cannot be read of other games is in the way only of somebody who asks for them.
        before = interrupted_tables(args.home, profile, [])
        plan = _Plan(
            args.home,
            profile,
            name,
            pin,
            args.table or "",
            place,
            args.adapter,
            args.seconds,
            before,
            args.note_hand,
            PACES.get(args.bot_speed, AT_ONCE),
        )
        try:
            played = run_loop(lambda stop: _play(plan, out, stop))
        except NetError as error:
            raise network_failure(error) from None
    if played is None:
        raise KeyboardInterrupt
    if isinstance(played, CameBack):
        return tell_came_back(out, played, args.save)
    return _tell(out, played, args.save)


def _resume(args: argparse.Namespace, out: Output) -> ExitCode:
    """Nothing about oneself can be said anew: all players have signed it."""
    for option, value in (("--name", args.name), ("--pin", args.pin)):
        if value:
            raise Failure(ExitCode.USAGE, "resume.options", option=option)
    return resume(args, out)


@dataclass(frozen=True, slots=True)
class _Played:
    """What is left of a table at which this computer sat down."""

    peer: TablePeer
    transcript: Path | None
    """None if it never came to a game."""
    interrupted: bool
    notices: list[dict[str, object]]
    tourney: Tourney | None


def _tell(out: Output, played: _Played, save: Path | None) -> ExitCode:
    peer, interrupted = played.peer, played.interrupted
    if played.tourney is not None:
        return tell_tournament(out, played.tourney, save)
    if peer.ending is Ending.TURNED_AWAY:
        # FULL is 0.
        why = LobbyRefusal.HOST_LEFT if peer.refusal is None else peer.refusal
        raise Failure(ExitCode.NETWORK, f"lobby.{why.name.lower()}")
    if played.transcript is None:
        if interrupted:
            raise KeyboardInterrupt
        raise network_failure(peer.broken or NetError(Fault.LOST))
    if peer.ending is Ending.LOST and not interrupted:
        out.error("table.lost")
    code = tell_outcome(out, played.transcript, save, played.notices)
    return ExitCode.INTERRUPTED if interrupted and code is ExitCode.INCOMPLETE else code


@dataclass(frozen=True, slots=True)
class _Plan:
    """Who sits down where."""

    home: Home
    profile: Profile
    name: str
    pin: str = field(repr=False)
    table: str
    place: Place | None
    """Where the table is; None to look for it by its name."""
    adapter: str | None
    patience: float
    before: tuple[Interrupted, ...]
    """Tables of this profile that were interrupted."""
    note_hand: Path | None
    pace: BotPace


async def _play(plan: _Plan, out: Output, stop: Interruption) -> _Played | CameBack | None:
    """Sit down, or sit at a table where this profile sits already; None if interrupted before."""
    reached = await stop.unless_asked(_reach(plan, out))
    if reached is None:
        return None
    if isinstance(reached, Again):
        return await come_back(reached, out, stop)
    return await _sit_down(plan, reached, out, stop)


async def _sit_down(plan: _Plan, channel: Channel, out: Output, stop: Interruption) -> _Played:
    records = TableRecords(plan.home)
    seating = Seating(name=plan.name, lobby=channel.context, host=channel.identity, pin=plan.pin)
    me = PlayedSeat(plan.profile.identity, SensiblePlayer(SystemRandom()))
    setup = Setup(
        seats=(me,),
        records=records,
        entropy=os.urandom,
        surroundings=Surroundings(plan.adapter),
        arrange=partial(save_arrangements, plan.home),
        pace=plan.pace,
    )
    narrator = Narrator(out)
    notes = HandNotes(plan.note_hand, narrator)
    peer = TablePeer(channel, plan.profile.identity, seating, setup, notes)
    notes.driver = lambda: peer.driver
    stop.then_leave(out, peer.leave)
    await peer.run()
    tourney = None
    if peer.tournament is not None and not stop.asked:
        player = entrant(plan.profile, plan.name, plan.adapter)
        tourney = await play_tournament(peer.tournament, plan.home, player, out, stop)
    return _Played(peer, records.path, stop.asked, narrator.notices, tourney)


async def _reach(plan: _Plan, out: Output) -> Channel | Again:
    """Find the table and connect; a door that is crowded just now is tried again for a while.

    Where this profile has a seat already it comes back to it: at a table that plays, or that was
    interrupted here and is nowhere to be seen.
    """
    again = partial(Again, plan.home, plan.profile, adapter=plan.adapter, pace=plan.pace)
    named = [each for each in plan.before if plan.place is None and each.is_called(plan.table)]
    until = time.monotonic() + plan.patience
    if plan.place is None:
        out.progress("bot.looking", table=plan.table)
    while True:
        there = plan.place
        if there is None:
            left = max(0.1, until - time.monotonic())
            known = {each.id for each in named}
            try:
                there = await find_table(plan.table, plan.adapter, left, known)
            except Failure:
                if not named:
                    raise
                return again(named[0])
        for each in plan.before:
            if there.context is not None and each.is_at(there.context):
                return again(each, place=there, identity=each.somebody(there.fingerprint))
        try:
            channel = await connect(
                there.hosts,
                there.port,
                plan.profile.identity,
                fingerprint=there.fingerprint,
                context=there.context,
            )
            mine = [each for each in plan.before if each.is_at(channel.context)]
            if not mine:
                return channel
            await channel.close()
            return again(mine[0], place=there, identity=channel.identity)
        except NetError as error:
            passing = PASSING if plan.place is not None else PASSING | STALE
            if error.fault not in passing:
                if plan.place is not None:
                    raise
                # A stranger may have announced this one: the real one may yet be heard.
                until = min(until, time.monotonic() + OTHERS)
            if time.monotonic() + RETRY > until:
                raise
        # Not all at the same moment again: many may have seen the table appear.
        await asyncio.sleep(RETRY * (0.5 + SystemRandom().random()))
