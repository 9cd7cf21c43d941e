"""`lanuno open`: open a transcript in the verifier of the window.

Double-clicking a transcript runs this command. If a window is already open, that window opens it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import path
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.window import has_display, open_window
from lanuno.client.texts import Texts


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "file", type=path(text), metavar=text("metavar.file"), help=text("help.verify.files")
    )


def run(args: argparse.Namespace, _out: CommandOutput) -> ExitCode:
    """Open the window with this transcript in the verifier. Only the window reads the file."""
    file: Path = args.file
    if not has_display():
        raise Failure(ExitCode.NO_WINDOW, "error.no_display_open", file=file)
    # The window that opens it may have been started in another folder.
    return open_window(args, args.command, str(file.absolute()))
