"""What commands that use the network share: finding one table, and saying what went wrong."""

from __future__ import annotations

from collections.abc import Collection

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.client import find
from lanuno.client.find import PROOF_SECONDS
from lanuno.client.places import InvalidPlace, TablePlace, parse_place
from lanuno.net.errors import NetError

__all__ = ["PROOF_SECONDS", "TablePlace", "find_table", "network_failure", "place_of"]


def network_failure(error: NetError) -> Failure:
    """An error of the network in the user's words."""
    return Failure(ExitCode.NETWORK, f"net.{error.fault.name.lower()}", detail=error.detail)


def place_of(where: str) -> TablePlace:
    """The place that a link, a code or an address names; a `Failure` (USAGE) if it is none."""
    try:
        return parse_place(where)
    except InvalidPlace as error:
        key = "error.link" if error.looks_like_link else "error.where"
        raise Failure(ExitCode.USAGE, key, value=where) from None


async def find_table(
    name: str, adapter: str | None, seconds: float, known: Collection[bytes] = ()
) -> TablePlace:
    """Wait for a table as `lanuno.client.find` does; a `Failure` (NETWORK) if there is none."""
    try:
        return await find.find_table(name, adapter, seconds, known)
    except find.TableNotFound as error:
        match error.reason:
            case find.NotFoundReason.STARTED:
                raise Failure(ExitCode.NETWORK, "lobby.started") from None
            case find.NotFoundReason.FULL:
                raise Failure(ExitCode.NETWORK, "lobby.full") from None
            case find.NotFoundReason.UNKNOWN:
                raise Failure(ExitCode.NETWORK, "bot.not_found", table=name) from None
