"""What commands that use the network share: finding one table, and saying what went wrong."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.client.places import InvalidPlace, TablePlace, parse_place
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.directory import TableDirectory
from lanuno.net.discovery.table_listener import listen_for_tables
from lanuno.net.errors import NetError

__all__ = ["PROOF_SECONDS", "TablePlace", "find_table", "network_failure", "place_of"]

REFRESH_SECONDS = 0.1
"""Seconds between two checks of the tables found so far."""

PROOF_SECONDS = 3.0
"""Seconds for a host to prove its identity, where several tables match."""


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
    """Wait for an open table of this name, or for one of these that play.

    Of several candidates it returns the first whose host answers and proves its identity. If none
    does within `PROOF_SECONDS`, it returns one of them, so that connecting to it shows the error.
    Raises `Failure` (NETWORK) if no candidate appears in `seconds`; the failure says whether there
    was a table that was full or had begun. Raises `NetError`.
    """
    listener = await listen_for_tables(adapter=adapter)
    directory = TableDirectory(listener.host_probed)
    deadline = math.inf
    now = asyncio.get_running_loop().time
    try:
        async with asyncio.timeout(seconds):
            while True:
                candidates = {
                    key: found
                    for key, found in listener.tables.items()
                    if found.id in known or _joinable(found, name)
                }
                if len(candidates) == 1 and math.isinf(deadline):
                    return TablePlace.of_advert(next(iter(candidates.values())))
                if candidates:
                    deadline = min(deadline, now() + PROOF_SECONDS)
                for key, entry in directory.update(candidates).items():
                    if entry.answer.reached and key in candidates:
                        return TablePlace.of_advert(entry.advert)
                if candidates and now() >= deadline:
                    return TablePlace.of_advert(next(iter(candidates.values())))
                await asyncio.sleep(REFRESH_SECONDS)
    except TimeoutError:
        seen = [advert for advert in listener.tables.values() if advert.name == name]
        if any(advert.state is TableState.PLAYING for advert in seen):
            raise Failure(ExitCode.NETWORK, "lobby.started") from None
        if any(advert.state is TableState.OPEN for advert in seen):
            raise Failure(ExitCode.NETWORK, "lobby.full") from None
    finally:
        try:
            await directory.close()
        finally:
            await listener.close()
    raise Failure(ExitCode.NETWORK, "bot.not_found", table=name)


def _joinable(advert: TableAdvert, name: str) -> bool:
    free = advert.taken < advert.seats
    return advert.name == name and advert.state is TableState.OPEN and free
