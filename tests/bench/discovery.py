"""Time to find a table on loopback, compared with a bare zeroconf browser and a bare advert.

A table appears in another peer's list in two ways: the table is announced while the peer listens,
or the peer starts to listen after the announcement. The bare side does the same with zeroconf's
classes and the same TXT record; it ends when its handler receives the name. Ours ends when the
browser returns the parsed table. Every run opens new Zeroconfs, and opening them is part of the
time. The waits are random (RFC 6762, 5.2, 6 and 8.1), so the result is the median of many runs.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace
from statistics import median
from time import perf_counter

from zeroconf import ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from lanuno.log.format.genesis import VERSION
from lanuno.net.discovery.advert import TableAdvert, encode_txt
from lanuno.net.discovery.mdns_announce import advertise
from lanuno.net.discovery.mdns_browse import Browser, browse
from lanuno.net.discovery.multicast import interfaces
from lanuno.net.transport.adapters import scan
from tests.bench.row import Row
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.changes import TableFound, changes

REPEATS = 11
BUDGET = 1.3
SERVICE = "_lanbench._tcp.local."
PATIENCE = 20.0
LISTENED = 0.5
"""Seconds from the start of listening to the announcement: the first queries have been sent."""

SETTLED = 2.0
"""Seconds from the announcement to the newcomer. By then the repetitions are over, and answers are
no longer delayed by a second because the same answer was sent just before."""

Seconds = tuple[float, float]
"""Seconds until a listening peer saw a new table, and until a newcomer saw it."""


def run() -> list[Row]:
    """Measure both ways, alternating between ours and the bare ones."""
    ours, bare = asyncio.run(_measure())
    rows = []
    for place, what in enumerate(("a new table appears", "a newcomer sees a table")):
        us, them = (median(each[place] for each in side) for side in (ours, bare))
        note = f"{us * 1e3:.0f} ms, bare {them * 1e3:.0f} ms, medians of {REPEATS}"
        rows.append(Row(what, us / them, BUDGET, note))
    return rows


async def _measure() -> tuple[list[Seconds], list[Seconds]]:
    adapter = next(each for each in scan() if each.loopback)
    names = interfaces([adapter])
    ours: list[Seconds] = []
    bare: list[Seconds] = []
    for _ in range(REPEATS):
        async with asyncio.timeout(PATIENCE):
            ours.append(await _ours(adapter.name))
            bare.append(await _bare(names))
    return ours, bare


def _table() -> TableAdvert:
    """Return the advert of a table with a unique id."""
    return replace(TABLE, id=secrets.token_bytes(16), version=VERSION)


async def _ours(adapter: str) -> Seconds:
    table = _table()
    async with await browse(adapter=adapter) as listener:
        await asyncio.sleep(LISTENED)
        begin = perf_counter()
        seen = asyncio.create_task(_sees(listener, table.id))
        async with await advertise(table, adapter=adapter):
            announced = await seen - begin
            await asyncio.sleep(SETTLED)
            begin = perf_counter()
            async with await browse(adapter=adapter) as newcomer:
                asked = await _sees(newcomer, table.id) - begin
    return announced, asked


async def _sees(browser: Browser, table: bytes) -> float:
    """Return the time at which a browser lists a table, to within `POLL_SECONDS`."""
    async for change in changes(browser):
        if isinstance(change, TableFound) and change.advert.id == table:
            return perf_counter()
    raise AssertionError


async def _bare(names: list[str]) -> Seconds:
    table = _table()
    name = f"{table.id.hex()}.{SERVICE}"
    info = AsyncServiceInfo(
        SERVICE,
        name,
        port=table.port,
        properties=encode_txt(table),
        server=f"{table.id.hex()[:16]}.local.",
        parsed_addresses=list(table.addresses),
    )
    listener = AsyncZeroconf(interfaces=names)
    seen = _bare_browser(listener, name)
    await asyncio.sleep(LISTENED)
    begin = perf_counter()
    host = AsyncZeroconf(interfaces=names)
    sending = await host.async_register_service(info)
    announced = await seen - begin
    await asyncio.sleep(SETTLED)
    await sending
    begin = perf_counter()
    newcomer = AsyncZeroconf(interfaces=names)
    asked = await _bare_browser(newcomer, name) - begin
    for each in (newcomer, host, listener):
        await each.async_close()
    return announced, asked


def _bare_browser(zeroconf: AsyncZeroconf, wanted: str) -> asyncio.Future[float]:
    """Listen; the result is the time at which the name was seen."""
    seen: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def told(*, name: str, state_change: ServiceStateChange, **_: object) -> None:
        if name == wanted and state_change is ServiceStateChange.Added and not seen.done():
            seen.set_result(perf_counter())

    AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[told])
    return seen
