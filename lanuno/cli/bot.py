"""`lanuno bot`: sit down at a table as a bot, on one's own computer."""

from __future__ import annotations

import argparse

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import add_network
from lanuno.cli.output import Output
from lanuno.cli.texts import Texts


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    name = text("metavar.name")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--table", metavar=name, help=text("help.bot.table"))
    where.add_argument(
        "where", nargs="?", metavar=text("metavar.where"), help=text("help.bot.where")
    )
    parser.add_argument("--name", metavar=name, help=text("help.player.name"))
    add_network(parser, text)


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Not there yet."""
    out.error("error.not_yet", command=args.command)
    return ExitCode.USAGE
