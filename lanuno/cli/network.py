"""Shared by commands that use the network: reading places, and error messages for users."""

from __future__ import annotations

from typing import Final

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.client.find import NotFoundReason, TableNotFound
from lanuno.client.places import InvalidPlace, TablePlace, parse_place
from lanuno.net.errors import NetError

_NOT_FOUND: Final = {
    NotFoundReason.UNKNOWN: "bot.not_found",
    NotFoundReason.FULL: "lobby.full",
    NotFoundReason.STARTED: "lobby.started",
}
"""The message for each reason."""


def network_failure(error: NetError) -> Failure:
    """Return a network error as a message for the user."""
    return Failure(ExitCode.NETWORK, f"net.{error.fault.name.lower()}", detail=error.detail)


def table_failure(error: TableNotFound) -> Failure:
    """Return the message for a table that was not found by its name."""
    return Failure(ExitCode.NETWORK, _NOT_FOUND[error.reason], table=error.name)


def place_of(where: str) -> TablePlace:
    """Return the place that a link, a code or an address names. Raises `Failure` (USAGE)."""
    try:
        return parse_place(where)
    except InvalidPlace as error:
        key = "error.link" if error.looks_like_link else "error.where"
        raise Failure(ExitCode.USAGE, key, value=where) from None
