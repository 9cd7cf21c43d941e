"""What commands that use the network share: reading places, and errors in the user's words."""

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
"""Messages by reason."""


def network_failure(error: NetError) -> Failure:
    """An error of the network in the user's words."""
    return Failure(ExitCode.NETWORK, f"net.{error.fault.name.lower()}", detail=error.detail)


def table_failure(error: TableNotFound) -> Failure:
    """That a table was not found by its name, in the user's words."""
    return Failure(ExitCode.NETWORK, _NOT_FOUND[error.reason], table=error.name)


def place_of(where: str) -> TablePlace:
    """The place that a link, a code or an address names. Other text raises a `Failure` (USAGE)."""
    try:
        return parse_place(where)
    except InvalidPlace as error:
        key = "error.link" if error.looks_like_link else "error.where"
        raise Failure(ExitCode.USAGE, key, value=where) from None
