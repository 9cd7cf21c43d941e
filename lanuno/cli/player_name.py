"""What a command says of itself at the door of a table: a name, and a PIN."""

from __future__ import annotations

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.log.genesis import clean_name
from lanuno.store.profile import Profile


def player_name(asked: str | None, profile: Profile) -> str:
    """The name asked for, else the profile's; a `Failure` (USAGE) if it may not be shown."""
    name = clean_name(profile.name if asked is None else asked)
    if name is None:
        raise Failure(ExitCode.USAGE, "store.bad_name")
    return name


LONGEST_PIN = 16


def checked_pin(asked: str) -> str:
    """The PIN asked for, "" for none; a `Failure` (USAGE) if none can look like this."""
    if asked and not (len(asked) <= LONGEST_PIN and asked.isascii() and asked.isalnum()):
        raise Failure(ExitCode.USAGE, "error.pin")
    return asked
