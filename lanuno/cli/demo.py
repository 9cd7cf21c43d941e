"""`lanuno demo`: a whole table of bots inside this program, shown and verified."""

from __future__ import annotations

import argparse

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import MAX_SEATS, add_rules, add_save, whole
from lanuno.cli.output import Output
from lanuno.cli.texts import Texts


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    number = text("metavar.number")
    parser.add_argument(
        "--players",
        type=whole(text, 2, MAX_SEATS),
        default=4,
        metavar=number,
        help=text("help.demo.players"),
    )
    add_rules(parser, text)
    add_save(parser, text)
    parser.add_argument(
        "--seed", type=whole(text, 0, 2**53), metavar=number, help=text("help.demo.seed")
    )


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Not there yet."""
    out.error("error.not_yet", command=args.command)
    return ExitCode.USAGE
