"""`lanuno bot`: join a table as a bot that runs on this computer."""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import SystemRandom

from lanuno.bots.pace import BOTS_ONLY_PACE, PACES, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.console import ConsoleRenderer
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import HandNotes, add_notes
from lanuno.cli.network import PROOF_SECONDS, TablePlace, find_table, network_failure, place_of
from lanuno.cli.options import add_bot_speed, add_network, add_save, seconds
from lanuno.cli.outcome import show_outcome
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.player_options import checked_pin, profile_and_name
from lanuno.cli.resume import (
    ResumedMatch,
    ResumeOptions,
    add_resume,
    resume,
    resume_table,
    show_resumed,
)
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.cli.tournament import TournamentOptions, play_tournament, show_end, tournament_entrant
from lanuno.client.resume import Interrupted, interrupted_tables
from lanuno.client.texts import Texts
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime.config import PlayedSeat, RuntimeConfig
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.store.paths import Home
from lanuno.store.profile import Profile
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby.peer import Seating
from lanuno.table.messages import LobbyRefusal

SEARCH_SECONDS = 30.0
"""Seconds to wait for a table to appear, and to get in."""

RETRY_SECONDS = 0.5
"""Seconds between two tries to get in, on average."""

CROWDED_FAULTS = frozenset(
    {NetFault.TLS, NetFault.LOST, NetFault.CLOSED, NetFault.TIMEOUT, NetFault.FULL}
)
"""Errors from a host to which many connect at the same moment; connecting again may work."""

STALE_FAULTS = frozenset({NetFault.UNREACHABLE, NetFault.WRONG_TABLE})
"""Errors from an announced address whose table has begun or closed in the meantime."""


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
        default=SEARCH_SECONDS,
        metavar=text("metavar.seconds"),
        help=text("help.bot.seconds"),
    )
    add_save(parser, text)
    add_bot_speed(parser, text)
    add_network(parser, text)
    add_notes(parser, text)


def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Play one match at a table, or resume one."""
    if args.resume is not None:
        return _resume(args, out)
    pin = checked_pin(args.pin)
    if args.table is not None and not args.table.strip():
        raise Failure(ExitCode.USAGE, "error.table_name")
    place = None if args.table is not None else place_of(args.where)
    profile, name = profile_and_name(args.name, args.home)
    with args.home.locked():
        # Damaged files of other games matter only to `--resume`.
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
            PACES.get(args.bot_speed, BOTS_ONLY_PACE),
        )
        try:
            played = run_loop(lambda stop: _play(plan, out, stop))
        except NetError as error:
            raise network_failure(error) from None
    if played is None:
        raise KeyboardInterrupt
    if isinstance(played, ResumedMatch):
        return show_resumed(out, played, args.save)
    return _show(out, played, args.save)


def _resume(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Name and PIN cannot be changed: all players have signed the roster."""
    for option, value in (("--name", args.name), ("--pin", args.pin)):
        if value:
            raise Failure(ExitCode.USAGE, "resume.options", option=option)
    return resume(args, out)


@dataclass(frozen=True, slots=True)
class _Played:
    """How a table ended at which this computer had a seat."""

    peer: LobbyGuest
    transcript: Path | None
    """None if it never came to a game."""
    interrupted: bool
    notices: list[dict[str, object]]
    tournament_result: TournamentOptions | None


def _show(out: CommandOutput, played: _Played, save: Path | None) -> ExitCode:
    peer, interrupted = played.peer, played.interrupted
    if played.tournament_result is not None:
        return show_end(out, played.tournament_result, save)
    if peer.ending is TableEnding.TURNED_AWAY:
        # FULL is 0.
        why = LobbyRefusal.HOST_LEFT if peer.refusal is None else peer.refusal
        raise Failure(ExitCode.NETWORK, f"lobby.{why.name.lower()}")
    if played.transcript is None:
        if interrupted:
            raise KeyboardInterrupt
        raise network_failure(peer.connection_error or NetError(NetFault.LOST))
    if peer.ending is TableEnding.LOST and not interrupted:
        out.error("table.lost")
    code = show_outcome(out, played.transcript, save, played.notices)
    return ExitCode.INTERRUPTED if interrupted and code is ExitCode.INCOMPLETE else code


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which player joins which table."""

    home: Home
    profile: Profile
    name: str
    pin: str = field(repr=False)
    table: str
    place: TablePlace | None
    """Where the table is; None to look for it by its name."""
    adapter: str | None
    search_seconds: float
    interrupted: tuple[Interrupted, ...]
    """Tables of this profile that were interrupted."""
    note_hand: Path | None
    pace: BotPace


async def _play(
    plan: _Plan, out: CommandOutput, stop: Interruption
) -> _Played | ResumedMatch | None:
    """Join the table, or resume the one where this profile has a seat; None if interrupted."""
    reached = await stop.unless_stopped(_reach(plan, out))
    if reached is None:
        return None
    if isinstance(reached, ResumeOptions):
        return await resume_table(reached, out, stop)
    return await _sit_down(plan, reached, out, stop)


async def _sit_down(
    plan: _Plan, channel: Channel, out: CommandOutput, stop: Interruption
) -> _Played:
    records = TableRecords(plan.home)
    seating = Seating(name=plan.name, lobby=channel.context, host=channel.identity, pin=plan.pin)
    me = PlayedSeat(plan.profile.identity, SensiblePlayer(SystemRandom()))
    config = RuntimeConfig(
        seats=(me,),
        records=records,
        entropy=os.urandom,
        network=NetworkContext(plan.adapter),
        save_metadata=partial(save_metadata, plan.home),
        pace=plan.pace,
    )
    renderer = ConsoleRenderer(out)
    notes = HandNotes(plan.note_hand, renderer)
    peer = LobbyGuest(channel, plan.profile.identity, seating, config, notes)
    notes.runtime = lambda: peer.runtime
    stop.leave_on_stop(out, peer.leave)
    await peer.run()
    tournament_result = None
    if peer.tournament is not None and not stop.requested:
        player = tournament_entrant(plan.profile, plan.name, plan.adapter)
        tournament_result = await play_tournament(peer.tournament, plan.home, player, out, stop)
    return _Played(peer, records.path, stop.requested, renderer.notices, tournament_result)


async def _reach(plan: _Plan, out: CommandOutput) -> Channel | ResumeOptions:
    """Find the table and connect; a host that is busy is tried again for a while.

    If this profile has a seat there already, the result says how to resume it. That holds for a
    table that is being played, and for one that was interrupted here and is not announced.
    """
    resume_options = partial(
        ResumeOptions, plan.home, plan.profile, adapter=plan.adapter, pace=plan.pace
    )
    interrupted_by_name = [
        each for each in plan.interrupted if plan.place is None and each.matches(plan.table)
    ]
    until = time.monotonic() + plan.search_seconds
    if plan.place is None:
        out.progress("bot.looking", table=plan.table)
    while True:
        place = plan.place
        if place is None:
            left = max(0.1, until - time.monotonic())
            known = {each.id for each in interrupted_by_name}
            try:
                place = await find_table(plan.table, plan.adapter, left, known)
            except Failure:
                if not interrupted_by_name:
                    raise
                return resume_options(interrupted_by_name[0])
        for each in plan.interrupted:
            if place.context is not None and each.is_at(place.context):
                return resume_options(
                    each, place=place, identity=each.identity_of(place.fingerprint)
                )
        try:
            channel = await connect(
                place.hosts,
                place.port,
                plan.profile.identity,
                fingerprint=place.fingerprint,
                context=place.context,
            )
            mine = [each for each in plan.interrupted if each.is_at(channel.context)]
            if not mine:
                return channel
            await channel.close()
            return resume_options(mine[0], place=place, identity=channel.identity)
        except NetError as error:
            retried = CROWDED_FAULTS if plan.place is not None else CROWDED_FAULTS | STALE_FAULTS
            if error.fault not in retried:
                if plan.place is not None:
                    raise
                # Anybody may have announced this one: the real one may yet be found.
                until = min(until, time.monotonic() + PROOF_SECONDS)
            if time.monotonic() + RETRY_SECONDS > until:
                raise
        # Not all at the same moment again: many may have seen the table appear.
        await asyncio.sleep(RETRY_SECONDS * (0.5 + SystemRandom().random()))
