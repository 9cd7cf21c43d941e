"""`lanuno host`: open a table on this network."""

from __future__ import annotations

import argparse
from random import SystemRandom

from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import add_notes
from lanuno.cli.network import checked_pin, player_name, table_name
from lanuno.cli.options import (
    add_bot_speed,
    add_network,
    add_number,
    add_rules,
    add_save,
    whole,
)
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.playing import play
from lanuno.cli.resume import add_resume, resume
from lanuno.cli.rule_choice import choose_rules, refuse_rounds, use_saved, usual_seats
from lanuno.client.requests import HostRequest
from lanuno.client.texts import Texts
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.ruleset import Format

USUAL_SEATS = 4


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    name = text("metavar.name")
    parser.add_argument("--table", metavar=name, help=text("help.host.table"))
    add_resume(parser, text)
    parser.add_argument("--name", metavar=name, help=text("help.player.name"))
    add_number(parser, text, "--seats", "help.host.seats", 2, MAX_SEATS)
    add_number(parser, text, "--bots", "help.host.bots", 0, MAX_SEATS - 1, 0)
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


def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Host one table until it is over, or resume one."""
    if args.resume is not None:
        return resume(args, out)
    use_saved(args)
    seats = _seats(args)
    ruleset = choose_rules(args.preset, args.settings, seats)
    if ruleset.format is Format.ROTATION and args.bots:
        raise Failure(ExitCode.USAGE, "error.tournament_bots")
    refuse_rounds(ruleset, seats, args.rounds)
    pin = checked_pin(args.pin)
    asked = None if args.table is None else table_name(args.table)
    name = player_name(args.name, args.home)
    request = HostRequest(
        name=table_name(out.text("host.table", name=name)) if asked is None else asked,
        ruleset=ruleset,
        seats=seats,
        bots=args.bots,
        pin=pin,
        rounds=args.rounds,
        # There is no window to play in, so a bot plays the host's seat.
        player=SensiblePlayer(SystemRandom()),
        player_name=name,
        bot_names=tuple(f"Bot {number}" for number in range(1, MAX_SEATS + 1)),
        adapter=args.adapter,
        port=args.port,
    )
    return play(args, request, out)


def _seats(args: argparse.Namespace) -> int:
    seats: int = args.seats or usual_seats(args.preset, max(USUAL_SEATS, args.bots + 1))
    if args.bots >= seats:
        raise Failure(ExitCode.USAGE, "error.bots", bots=args.bots, seats=seats)
    return seats
