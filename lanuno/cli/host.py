"""`lanuno host`: open a table on this network."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from random import SystemRandom

from lanuno.bots.pace import BOTS_ONLY_PACE, PACES, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.console import ConsoleRenderer
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import HandNotes, add_notes
from lanuno.cli.network import network_failure
from lanuno.cli.options import MAX_SEATS, add_bot_speed, add_network, add_rules, add_save, whole
from lanuno.cli.outcome import show_outcome
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.player_options import checked_pin, profile_and_name
from lanuno.cli.resume import add_resume, resume
from lanuno.cli.rule_choice import choose_rules, usual_seats
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.cli.saved_rules import use_saved
from lanuno.cli.tournament import TournamentOptions, play_tournament, show_end, tournament_entrant
from lanuno.client.texts import Texts
from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import LOBBY_ID_BYTES, clean_name, look_alike
from lanuno.net.discovery.advert import LONGEST_TABLE, LONGEST_TABLE_BYTES, TableAdvert
from lanuno.net.discovery.invitations import invitations
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError
from lanuno.net.runtime.config import OwnSeat, RuntimeConfig
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store.paths import Home
from lanuno.store.profile import Profile
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby.host import TableOffer
from lanuno.table.messages import LobbyRefusal

USUAL_SEATS = 4


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    name, number = text("metavar.name"), text("metavar.number")
    parser.add_argument("--table", metavar=name, help=text("help.host.table"))
    add_resume(parser, text)
    parser.add_argument("--name", metavar=name, help=text("help.player.name"))
    parser.add_argument(
        "--seats", type=whole(text, 2, MAX_SEATS), metavar=number, help=text("help.host.seats")
    )
    parser.add_argument(
        "--bots",
        type=whole(text, 0, MAX_SEATS - 1),
        default=0,
        metavar=number,
        help=text("help.host.bots"),
    )
    parser.add_argument("--pin", metavar=text("metavar.pin"), default="", help=text("help.pin"))
    add_rules(parser, text)
    add_save(parser, text)
    parser.add_argument(
        "--port",
        type=whole(text, 1, 65535),
        metavar=text("metavar.port"),
        help=text("help.host.port"),
    )
    add_bot_speed(parser, text)
    add_network(parser, text)
    add_notes(parser, text)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be hosted."""

    home: Home
    profile: Profile
    name: str
    table: str
    seats: int
    bot_seeds: tuple[bytes, ...] = field(repr=False)
    """The private keys of the host's bots."""
    ruleset: Ruleset
    rounds: int | None
    pin: str = field(repr=False)
    port: int | None
    adapter: str | None
    note_hand: Path | None
    pace: BotPace


def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Host one table until it is over, or resume one."""
    if args.resume is not None:
        return _resume(args, out)
    use_saved(args)
    seats = _seats(args)
    ruleset = choose_rules(args.preset, args.settings, seats)
    if ruleset.format is Format.ROTATION and args.bots:
        raise Failure(ExitCode.USAGE, "error.tournament_bots")
    pin = checked_pin(args.pin)
    asked = None if args.table is None else _table_name(args.table)
    profile, name = profile_and_name(args.name, args.home)
    table = _table_name(out.text("host.table", name=name)) if asked is None else asked
    plan = _Plan(
        args.home,
        profile,
        name,
        table,
        seats,
        tuple(os.urandom(32) for _ in range(args.bots)),
        ruleset,
        args.rounds,
        pin,
        args.port,
        args.adapter,
        args.note_hand,
        PACES.get(args.bot_speed, BOTS_ONLY_PACE),
    )
    with args.home.locked():
        try:
            hosted = run_loop(lambda stop: _host(plan, out, stop))
        except NetError as error:
            raise network_failure(error) from None
    if hosted.tournament_result is not None:
        return show_end(out, hosted.tournament_result, args.save)
    if hosted.transcript is None:
        if hosted.refusal is None or hosted.interrupted:
            raise KeyboardInterrupt
        raise Failure(ExitCode.NETWORK, f"lobby.{hosted.refusal.name.lower()}")
    code = show_outcome(out, hosted.transcript, args.save, hosted.notices)
    incomplete = code is ExitCode.INCOMPLETE
    return ExitCode.INTERRUPTED if hosted.interrupted and incomplete else code


def _resume(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Nothing about the table can be changed: all players have signed it."""
    options = {
        "--table": args.table,
        "--name": args.name,
        "--seats": args.seats,
        "--bots": args.bots,
        "--pin": args.pin,
        "--rounds": args.rounds,
        "--preset": args.preset,
        "--rules": args.saved,
        "--set": args.settings,
    }
    for option, value in options.items():
        if value:
            raise Failure(ExitCode.USAGE, "resume.options", option=option)
    return resume(args, out)


def _table_name(wanted: str) -> str:
    table = clean_name(wanted, LONGEST_TABLE, LONGEST_TABLE_BYTES)
    if table is None:
        raise Failure(ExitCode.USAGE, "error.table_name")
    return table


def _seats(args: argparse.Namespace) -> int:
    seats: int = args.seats or usual_seats(args.preset, max(USUAL_SEATS, args.bots + 1))
    if args.bots >= seats:
        raise Failure(ExitCode.USAGE, "error.bots", bots=args.bots, seats=seats)
    return seats


@dataclass(frozen=True, slots=True)
class _Hosted:
    """How a hosted table ended."""

    transcript: Path | None
    """None if it never came to a game."""
    refusal: LobbyRefusal | None
    """Why the host's own seat was refused in the waiting room."""
    interrupted: bool
    notices: list[dict[str, object]]
    tournament_result: TournamentOptions | None = None
    """Set if the waiting room was that of a tournament."""


async def _host(plan: _Plan, out: CommandOutput, stop: Interruption) -> _Hosted:
    identity = plan.profile.identity
    own = _own_seats(plan)
    offer = TableOffer(
        os.urandom(LOBBY_ID_BYTES),
        plan.table,
        plan.ruleset,
        plan.seats,
        identity.public,
        plan.pin,
        rounds=plan.rounds,
        bots=frozenset(seat.identity.public for seat in own if seat.bot),
    )
    records = TableRecords(plan.home, bots=plan.bot_seeds)
    network = NetworkContext(plan.adapter)
    config = RuntimeConfig(
        seats=(),
        records=records,
        entropy=os.urandom,
        network=network,
        save_metadata=partial(save_metadata, plan.home),
        pace=plan.pace,
    )
    renderer = ConsoleRenderer(out)
    notes = HandNotes(plan.note_hand, renderer)
    host = LobbyHost(offer, own, config, notes)
    notes.runtime = lambda: host.runtime
    try:
        host.listener = await network.open_listener(
            identity, offer.lobby, host.serve, port=plan.port
        )
        host.begin()
        _show_links(out, await host.announce(network))
        stop.leave_on_stop(out, host.leave)
        await host.wait()
    finally:
        await host.close()
    tournament_result = None
    if host.tournament is not None and not stop.requested:
        me = tournament_entrant(plan.profile, plan.name, plan.adapter)
        tournament_result = await play_tournament(host.tournament, plan.home, me, out, stop)
    return _Hosted(records.path, host.refusal, stop.requested, renderer.notices, tournament_result)


def _show_links(out: CommandOutput, advert: TableAdvert) -> None:
    out.progress("host.open", table=advert.name, port=advert.port)
    links, codes = invitations(advert)
    for link in links:
        out.progress("host.link", link=link)
    for code in codes:
        out.progress("host.code", code=code)


def _own_seats(plan: _Plan) -> list[OwnSeat]:
    """The host's own seat, played by a program since there is no window, and its bots."""
    chance = SystemRandom()
    seats = [OwnSeat(plan.profile.identity, plan.name, SensiblePlayer(chance))]
    names = (f"Bot {number}" for number in count(1))
    free = filter(lambda name: not look_alike(name, plan.name), names)
    for seed, name in zip(plan.bot_seeds, free, strict=False):
        seats.append(OwnSeat(Identity.from_seed(seed), name, SensiblePlayer(chance), bot=True))
    return seats
