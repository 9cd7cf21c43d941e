"""`lanuno join`: sit down at somebody's table in the window.

What a click on a link runs. If the window is open already, the app takes the link there.
"""

from __future__ import annotations

import argparse

from lanuno.cli.exits import ExitCode
from lanuno.cli.network import place_of
from lanuno.cli.output import Failure, Output
from lanuno.cli.texts import Texts
from lanuno.cli.window import has_display, open_window


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument("where", metavar=text("metavar.where"), help=text("help.bot.where"))


def run(args: argparse.Namespace, _out: Output) -> ExitCode:
    """Open the window at the door of this table."""
    place_of(args.where)
    if not has_display():
        raise Failure(ExitCode.NO_WINDOW, "error.no_display_join", where=args.where)
    return open_window(args.folder, args.lang, args.command, args.where, log=args.log)
