"""`lanuno bot`: join a table as a bot that runs on this computer."""

from __future__ import annotations

import argparse
from random import SystemRandom

from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import add_notes
from lanuno.cli.network import checked_pin, place_of, player_name, table_name
from lanuno.cli.options import add_bot_speed, add_network, add_save, seconds
from lanuno.cli.output import CommandOutput
from lanuno.cli.playing import play
from lanuno.cli.resume import add_resume, resume
from lanuno.client.requests import SEARCH_SECONDS, JoinRequest
from lanuno.client.texts import Texts


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
        return resume(args, out)
    pin = checked_pin(args.pin)
    table = "" if args.table is None else table_name(args.table)
    place = None if table else place_of(args.where)
    name = player_name(args.name, args.home)
    request = JoinRequest(
        place=place,
        table=table,
        pin=pin,
        player=SensiblePlayer(SystemRandom()),
        player_name=name,
        seconds=args.seconds,
        resumes=True,
        adapter=args.adapter,
    )
    return play(args, request, out)
