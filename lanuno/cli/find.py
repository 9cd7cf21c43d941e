"""`lanuno find`: list the tables on this network."""

from __future__ import annotations

import argparse

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import add_network, seconds
from lanuno.cli.output import Output
from lanuno.cli.texts import Texts


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "--seconds",
        type=seconds(text, 0.1, 3600),
        default=3.0,
        metavar=text("metavar.seconds"),
        help=text("help.find.seconds"),
    )
    add_network(parser, text)


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Not there yet."""
    out.error("error.not_yet", command=args.command)
    return ExitCode.USAGE
