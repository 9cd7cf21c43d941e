"""What commands that use the network share: finding one table, and saying what went wrong."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Collection
from dataclasses import dataclass

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.net.codes import read_code
from lanuno.net.errors import NetError
from lanuno.net.links import SCHEME, parse_link
from lanuno.net.lookout import Lookout, look_out
from lanuno.net.txt import TableAdvert, TableState

_ADDRESS = re.compile(
    r"(?:\[(?P<six>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^:\[\]\s]+)):(?P<port>[0-9]{1,5})"
)


LOOK_AGAIN = 0.1
"""Seconds between two looks at the tables heard of."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table is, and what is known of it beforehand."""

    hosts: tuple[str, ...]
    port: int
    fingerprint: str | None = None
    context: bytes | None = None


def network_failure(error: NetError) -> Failure:
    """An error of the network in the user's words."""
    return Failure(ExitCode.NETWORK, f"net.{error.fault.name.lower()}", detail=error.detail)


def place_of(where: str) -> Place:
    """The place that a link, a code or an address names; a `Failure` (USAGE) if it is none."""
    if where.lower().startswith(SCHEME + ":"):
        try:
            link = parse_link(where)
        except NetError:
            raise Failure(ExitCode.USAGE, "error.link", value=where) from None
        return Place((link.host,), link.port, link.fingerprint, link.id)
    with contextlib.suppress(NetError):
        host, port = read_code(where)
        return Place((host,), port)
    match = _ADDRESS.fullmatch(where)
    if match is None or not 0 < int(match["port"]) < 65536:
        raise Failure(ExitCode.USAGE, "error.where", value=where)
    return Place((match["six"] or match["host"],), int(match["port"]))


async def listen_for_tables(adapter: str | None) -> Lookout:
    """`look_out`, never broken off half-way: what it has opened by then would stay open."""
    opening = asyncio.ensure_future(look_out(adapter=adapter))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        browser = await opening
        await browser.close()
        raise


async def find_table(
    name: str, adapter: str | None, patience: float, known: Collection[bytes] = ()
) -> Place:
    """Wait for an open table of this name, or for one of these that play.

    Raises `Failure` (NETWORK) if none appears in `patience` seconds, saying whether there was one
    at which nobody can sit down; and `NetError`.
    """
    lookout = await listen_for_tables(adapter)
    try:
        async with asyncio.timeout(patience):
            while True:
                for found in lookout.tables.values():
                    if found.id in known or _joinable(found, name):
                        return Place(found.addresses, found.port, found.fp, found.id)
                await asyncio.sleep(LOOK_AGAIN)
    except TimeoutError:
        seen = [advert for advert in lookout.tables.values() if advert.name == name]
        if any(advert.state is TableState.PLAYING for advert in seen):
            raise Failure(ExitCode.NETWORK, "lobby.started") from None
        if any(advert.state is TableState.OPEN for advert in seen):
            raise Failure(ExitCode.NETWORK, "lobby.full") from None
    finally:
        await lookout.close()
    raise Failure(ExitCode.NETWORK, "bot.not_found", table=name)


def _joinable(advert: TableAdvert, name: str) -> bool:
    free = advert.taken < advert.seats
    return advert.name == name and advert.state is TableState.OPEN and free
