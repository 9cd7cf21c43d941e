"""`lanuno bot`: sit down at a table as a bot, on one's own computer."""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from random import SystemRandom

from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.exits import ExitCode
from lanuno.cli.narrator import Narrator
from lanuno.cli.network import Place, find_table, network_failure, place_of
from lanuno.cli.options import add_network, add_save, seconds
from lanuno.cli.outcome import tell_outcome
from lanuno.cli.output import Failure, Output
from lanuno.cli.player_name import player_name
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.cli.texts import Texts
from lanuno.net.channel import Channel
from lanuno.net.client import connect
from lanuno.net.errors import Fault, NetError
from lanuno.net.seat_driver import Ending, SeatFiles
from lanuno.net.table_peer import TablePeer
from lanuno.store.profile import Profile, load_profile
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby_peer import Seating
from lanuno.table.messages import LobbyRefusal

PATIENCE = 30.0
"""Seconds to wait for a table to appear, and to get in."""

RETRY = 0.5
"""Seconds between two tries to get in, on average."""

PASSING = frozenset({Fault.TLS, Fault.LOST, Fault.CLOSED, Fault.TIMEOUT, Fault.FULL})
"""What a host with a crowd at its door answers to those who come at the same moment."""


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
    profile = load_profile(args.home)
    name = player_name(args.name, profile)
    place = None if args.table is not None else place_of(args.where)
    records = TableRecords(args.home)
    with args.home.locked():
        try:
            peer, interrupted = run_loop(
                lambda stop: _play(args, profile, name, place, records, out, stop)
            )
        except NetError as error:
            raise network_failure(error) from None
    if peer is None:
        return ExitCode.INTERRUPTED
    if peer.seat.ending is Ending.TURNED_AWAY:
        why = peer.seat.refusal or LobbyRefusal.HOST_LEFT
        raise Failure(ExitCode.NETWORK, f"lobby.{why.name.lower()}")
    if records.path is None:
        if interrupted:
            return ExitCode.INTERRUPTED
        raise Failure(ExitCode.NETWORK, "net.lost", detail="")
    code = tell_outcome(out, records.path, args.save)
    return ExitCode.INTERRUPTED if interrupted and code is ExitCode.INCOMPLETE else code


async def _play(
    args: argparse.Namespace,
    profile: Profile,
    name: str,
    place: Place | None,
    records: TableRecords,
    out: Output,
    stop: Interruption,
) -> tuple[TablePeer | None, bool]:
    channel = await _reach(args, profile, place, out, stop)
    if channel is None:
        return None, True
    seating = Seating(name=name, lobby=channel.context, host=channel.identity, pin=args.pin)
    files = SeatFiles(records, SensiblePlayer(SystemRandom()), os.urandom)
    peer = TablePeer(channel, profile.identity, seating, files, Narrator(out))
    stop.then_run(peer.leave)
    await peer.run()
    return peer, stop.asked


async def _reach(
    args: argparse.Namespace,
    profile: Profile,
    place: Place | None,
    out: Output,
    stop: Interruption,
) -> Channel | None:
    """Find the table and connect; a door that is crowded just now is tried again for a while."""
    until = time.monotonic() + args.seconds
    if place is None:
        out.progress("bot.looking", table=args.table)
    while True:
        there = place
        if there is None:
            left = max(0.1, until - time.monotonic())
            there = await find_table(args.table, args.adapter, left, stop)
        if there is None or stop.asked:
            return None
        try:
            return await connect(
                there.hosts,
                there.port,
                profile.identity,
                fingerprint=there.fingerprint,
                context=there.context,
            )
        except NetError as error:
            if error.fault not in PASSING or time.monotonic() + RETRY > until:
                raise
        # Not all at the same moment again: many may have seen the table appear.
        await asyncio.sleep(RETRY * (0.5 + SystemRandom().random()))
