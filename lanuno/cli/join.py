"""`lanuno join`: join a table in the window.

Clicking a link runs this command. If a window is already open, that window opens the link.
"""

from __future__ import annotations

import argparse

from lanuno.cli.exits import ExitCode
from lanuno.cli.network import place_of
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.window import has_display, open_window
from lanuno.client.texts import Texts


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument("where", metavar=text("metavar.where"), help=text("help.bot.where"))


def run(args: argparse.Namespace, _out: CommandOutput) -> ExitCode:
    """Open the window, which asks whether to join this table."""
    place_of(args.where)
    if not has_display():
        raise Failure(ExitCode.NO_WINDOW, "error.no_display_join", where=args.where)
    return open_window(args, args.command, args.where)
