"""`lanuno verify`: check transcripts of games, one's own or anybody's."""

from __future__ import annotations

import argparse
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Output
from lanuno.cli.texts import Texts


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar=text("metavar.file"),
        help=text("help.verify.files"),
    )


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Not there yet."""
    out.error("error.not_yet", command=args.command)
    return ExitCode.USAGE
