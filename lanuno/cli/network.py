"""What commands that use the network share: finding one table, and saying what went wrong."""

from __future__ import annotations

import asyncio
import contextlib
import math
import re
from collections.abc import Collection
from dataclasses import dataclass

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.net.codes import read_code
from lanuno.net.errors import NetError
from lanuno.net.links import SCHEME, parse_link
from lanuno.net.lookout import look_out
from lanuno.net.roll_call import RollCall
from lanuno.net.txt import TableAdvert, TableState

_ADDRESS = re.compile(
    r"(?:\[(?P<six>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^:\[\]\s]+)):(?P<port>[0-9]{1,5})"
)


LOOK_AGAIN = 0.1
"""Seconds between two looks at the tables heard of."""

OTHERS = 3.0
"""Seconds for an answer, where several tables seem to be the one that is looked for."""


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


async def find_table(
    name: str, adapter: str | None, patience: float, known: Collection[bytes] = ()
) -> Place:
    """Wait for an open table of this name, or for one of these that play.

    Where several seem to be it, the first whose host answers and proves who it is; if none does for
    `OTHERS` seconds, one of them, so that going there tells why. Raises `Failure` (NETWORK) if none
    appears in `patience` seconds, saying whether there was one at which nobody can sit down; and
    `NetError`.
    """
    lookout = await look_out(adapter=adapter)
    roll = RollCall(lookout.asked)
    late = math.inf
    now = asyncio.get_running_loop().time
    try:
        async with asyncio.timeout(patience):
            while True:
                seeming = {
                    key: found
                    for key, found in lookout.tables.items()
                    if found.id in known or _joinable(found, name)
                }
                if len(seeming) == 1 and math.isinf(late):
                    return _place(next(iter(seeming.values())))
                if seeming:
                    late = min(late, now() + OTHERS)
                for key, called in roll.hear(seeming).items():
                    if called.answer.there and key in seeming:
                        return _place(called.advert)
                if seeming and now() >= late:
                    return _place(next(iter(seeming.values())))
                await asyncio.sleep(LOOK_AGAIN)
    except TimeoutError:
        seen = [advert for advert in lookout.tables.values() if advert.name == name]
        if any(advert.state is TableState.PLAYING for advert in seen):
            raise Failure(ExitCode.NETWORK, "lobby.started") from None
        if any(advert.state is TableState.OPEN for advert in seen):
            raise Failure(ExitCode.NETWORK, "lobby.full") from None
    finally:
        try:
            await roll.close()
        finally:
            await lookout.close()
    raise Failure(ExitCode.NETWORK, "bot.not_found", table=name)


def _place(advert: TableAdvert) -> Place:
    return Place(advert.addresses, advert.port, advert.fp, advert.id)


def _joinable(advert: TableAdvert, name: str) -> bool:
    free = advert.taken < advert.seats
    return advert.name == name and advert.state is TableState.OPEN and free
