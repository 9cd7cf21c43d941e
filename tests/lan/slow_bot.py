"""A bot that thinks for some seconds: `python -m tests.lan.slow_bot SECONDS bot …`.

It runs the command line. Its player decides as slowly as people do, so that a match lasts.
"""

from __future__ import annotations

import sys

from lanuno.bots import pace


def main(seconds: str, *arguments: str) -> int:
    """Run the command line."""
    # Set the pace before any other module imports the value.
    vars(pace)["BOTS_ONLY_PACE"] = pace.BotPace(move=float(seconds))
    from lanuno.cli.main import main as command_line

    return command_line(arguments)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
