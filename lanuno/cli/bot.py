"""`lanuno bot`: sit down at a table as a bot, on one's own computer."""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from dataclasses import dataclass
from random import SystemRandom

from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.exits import ExitCode
from lanuno.cli.narrator import Narrator
from lanuno.cli.network import Place, find_table, network_failure, place_of
from lanuno.cli.newcomer import checked_pin, sitting_down
from lanuno.cli.options import add_network, add_save, seconds
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
from lanuno.net.member_driver import PlayedSeat, Setup
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_peer import TablePeer
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
    add_network(parser, text)


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Play one match at somebody's table."""
    pin = checked_pin(args.pin)
    if args.table is not None and not args.table.strip():
        raise Failure(ExitCode.USAGE, "error.table_name")
    place = None if args.table is not None else place_of(args.where)
    profile, name = sitting_down(args.name, args.home)
    records = TableRecords(args.home)
    plan = _Plan(profile, name, pin, args.table or "", place, args.adapter, args.seconds)
    with args.home.locked():
        try:
            peer, interrupted, tourney = run_loop(
                args.home, lambda stop: _play(plan, args.home, records, out, stop)
            )
        except NetError as error:
            raise network_failure(error) from None
    if tourney is not None:
        return tell_tournament(out, tourney, args.save)
    if peer is not None and peer.ending is Ending.TURNED_AWAY:
        why = peer.refusal or LobbyRefusal.HOST_LEFT
        raise Failure(ExitCode.NETWORK, f"lobby.{why.name.lower()}")
    if peer is None or records.path is None:
        if interrupted or peer is None:
            raise KeyboardInterrupt
        raise network_failure(peer.broken or NetError(Fault.LOST))
    if peer.ending is Ending.LOST and not interrupted:
        out.error("table.lost")
    code = tell_outcome(out, records.path, args.save)
    return ExitCode.INTERRUPTED if interrupted and code is ExitCode.INCOMPLETE else code


@dataclass(frozen=True, slots=True)
class _Plan:
    """Who sits down where."""

    profile: Profile
    name: str
    pin: str
    table: str
    place: Place | None
    """Where the table is; None to look for it by its name."""
    adapter: str | None
    patience: float


async def _play(
    plan: _Plan, home: Home, records: TableRecords, out: Output, stop: Interruption
) -> tuple[TablePeer | None, bool, Tourney | None]:
    channel = await stop.unless_asked(_reach(plan, out))
    if channel is None:
        return None, True, None
    seating = Seating(name=plan.name, lobby=channel.context, host=channel.identity, pin=plan.pin)
    me = PlayedSeat(plan.profile.identity, SensiblePlayer(SystemRandom()))
    setup = Setup(
        seats=(me,),
        records=records,
        entropy=os.urandom,
        surroundings=Surroundings(plan.adapter),
    )
    peer = TablePeer(channel, plan.profile.identity, seating, setup, Narrator(out))
    stop.then_run(peer.leave)
    await peer.run()
    tourney = None
    if peer.tournament is not None and not stop.asked:
        player = entrant(plan.profile, plan.name, plan.adapter)
        tourney = await play_tournament(peer.tournament, home, player, out, stop)
    return peer, stop.asked, tourney


async def _reach(plan: _Plan, out: Output) -> Channel:
    """Find the table and connect; a door that is crowded just now is tried again for a while."""
    until = time.monotonic() + plan.patience
    if plan.place is None:
        out.progress("bot.looking", table=plan.table)
    while True:
        there = plan.place
        if there is None:
            left = max(0.1, until - time.monotonic())
            there = await find_table(plan.table, plan.adapter, left)
        try:
            return await connect(
                there.hosts,
                there.port,
                plan.profile.identity,
                fingerprint=there.fingerprint,
                context=there.context,
            )
        except NetError as error:
            passing = PASSING if plan.place is not None else PASSING | STALE
            if error.fault not in passing or time.monotonic() + RETRY > until:
                raise
        # Not all at the same moment again: many may have seen the table appear.
        await asyncio.sleep(RETRY * (0.5 + SystemRandom().random()))
