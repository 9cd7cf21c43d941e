"""`lanuno open`: look at a game in the window, where the verifier tells it.

What a double click on a transcript runs. If the window is open already, the app takes it there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import path
from lanuno.cli.output import Failure, Output
from lanuno.cli.texts import Texts
from lanuno.cli.window import has_display, open_window


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "file", type=path(text), metavar=text("metavar.file"), help=text("help.verify.files")
    )


def run(args: argparse.Namespace, _out: Output) -> ExitCode:
    """Open the window with this transcript in the verifier. Reading it is the window's affair."""
    file: Path = args.file
    if not has_display():
        raise Failure(ExitCode.NO_WINDOW, "error.no_display_open", file=file)
    # The window that takes it may have been started in another folder.
    return open_window(args.folder, args.lang, args.command, str(file.absolute()), log=args.log)
