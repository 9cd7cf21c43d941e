"""`lanuno host`: open a table on this network."""

from __future__ import annotations

import argparse

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import MAX_SEATS, add_network, add_rules, add_save, whole
from lanuno.cli.output import Output
from lanuno.cli.texts import Texts


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    name, number = text("metavar.name"), text("metavar.number")
    parser.add_argument("--table", metavar=name, help=text("help.host.table"))
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
    add_rules(parser, text)
    add_save(parser, text)
    parser.add_argument(
        "--port",
        type=whole(text, 1, 65535),
        metavar=text("metavar.port"),
        help=text("help.host.port"),
    )
    add_network(parser, text)


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Not there yet."""
    out.error("error.not_yet", command=args.command)
    return ExitCode.USAGE
