"""The name and the PIN with which a command joins a table."""

from __future__ import annotations

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.client.requests import is_valid_pin
from lanuno.log.format.genesis import clean_name
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile


def player_name(asked: str | None, home: Home) -> str:
    """Return the name asked for, else the name in the profile of a home.

    Raises `Failure` (USAGE), before anything is written, if the name may not be shown. Raises
    `StoreError`.
    """
    name = None if asked is None else clean_name(asked)
    if asked is not None and name is None:
        raise Failure(ExitCode.USAGE, "store.bad_name")
    return name or load_profile(home).name


def checked_pin(asked: str) -> str:
    """Return the PIN asked for, or "" for none. Raises `Failure` (USAGE) if it is invalid."""
    if asked and not is_valid_pin(asked):
        raise Failure(ExitCode.USAGE, "error.pin")
    return asked
