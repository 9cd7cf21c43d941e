"""Types of command-line values: what they must look like, and the error messages if they do not.

Each function takes the messages and returns a type for argparse. The table, not this module,
decides whether a value makes sense there.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path

from lanuno.client.texts import Texts

LOG_LEVELS = ("off", "warning", "info", "debug")
"""The levels of `lanuno.store.logfile`, repeated here so that help need not load that module."""
BOT_SPEEDS = ("slow", "normal", "fast")
"""The speeds of `lanuno.bots.pace`, repeated here so that help need not load that module."""
_KEY = re.compile(r"[a-z][a-z0-9_]*\Z")


def whole(text: Texts, low: int, high: int) -> Callable[[str], int]:
    """Return a type for a whole number within bounds."""

    def parse(value: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,18}", value) or not low <= int(value) <= high:
            raise argparse.ArgumentTypeError(text("error.number", value=value, low=low, high=high))
        return int(value)

    return parse


def seconds(text: Texts, low: float, high: float) -> Callable[[str], float]:
    """Return a type for a number of seconds within bounds; fractions are allowed."""

    def parse(value: str) -> float:
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", value) or not low <= float(value) <= high:
            raise argparse.ArgumentTypeError(text("error.number", value=value, low=low, high=high))
        return float(value)

    return parse


def path(text: Texts) -> Callable[[str], Path]:
    """Return a type for a file or folder. An empty name is an error, not the current folder."""

    def parse(value: str) -> Path:
        if not value or "\0" in value:
            raise argparse.ArgumentTypeError(text("error.path", value=value))
        if not value.startswith(("/", "~")) and not _is_folder_usable():
            raise argparse.ArgumentTypeError(text("error.folder_gone", value=value))
        return Path(value)

    return parse


def leave_unusable_folder() -> None:
    """Leave a current folder that is deleted or closed to this user: no program could start there.

    Call this after parsing, which refuses relative paths there.
    """
    if not _is_folder_usable():
        os.chdir("/")


def _is_folder_usable() -> bool:
    try:
        os.chdir(os.getcwd())  # noqa: PTH109 - as each program that starts there
    except OSError:
        return False
    return True


def setting(text: Texts) -> Callable[[str], tuple[str, str]]:
    """Return a type for `key=value`, as a pair. The ruleset decides which keys exist."""

    def parse(value: str) -> tuple[str, str]:
        key, sign, meant = value.partition("=")
        if not sign or not _KEY.match(key) or not meant:
            raise argparse.ArgumentTypeError(text("error.setting", value=value))
        return key, meant

    return parse


def add_number(
    parser: argparse.ArgumentParser,
    text: Texts,
    option: str,
    purpose: str,
    low: int,
    high: int,
    default: int | None = None,
) -> None:
    """Define an option that takes a whole number within bounds. `purpose`: the id of its help."""
    parser.add_argument(
        option,
        type=whole(text, low, high),
        default=default,
        metavar=text("metavar.number"),
        help=text(purpose),
    )


def add_rules(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the options for what is played: --rounds, --preset, --rules, --set."""
    add_number(parser, text, "--rounds", "help.rules.rounds", 1, 1000)
    add_preset(parser, text)


def add_preset(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the options for the rules: --preset, --rules, --set."""
    parser.add_argument("--preset", metavar=text("metavar.preset"), help=text("help.rules.preset"))
    parser.add_argument(
        "--rules", dest="saved", metavar=text("metavar.name"), help=text("help.rules.saved")
    )
    add_settings(parser, text)


def add_settings(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the option that changes settings: --set."""
    parser.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        type=setting(text),
        metavar=text("metavar.setting"),
        help=text("help.rules.set"),
    )


def add_bot_speed(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the option for the speed of this computer's bots: --bot-speed."""
    parser.add_argument(
        "--bot-speed",
        choices=BOT_SPEEDS,
        metavar=text("metavar.speed"),
        help=text("help.bot_speed"),
    )


def add_network(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the option that chooses an adapter: --adapter."""
    parser.add_argument(
        "--adapter", metavar=text("metavar.adapter"), help=text("help.network.adapter")
    )


def add_save(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the option that saves a copy of the transcript: --save."""
    parser.add_argument(
        "--save", type=path(text), metavar=text("metavar.file"), help=text("help.rules.save")
    )
