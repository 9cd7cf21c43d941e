"""Finding a table on loopback, against a bare zeroconf browser that sees a bare advert.

Here: two ways in which a table appears in another peer's list: it is announced while the other
listens, or the other begins to listen while it is there. The bare side does the same with
zeroconf's own classes and the same TXT record, and is done when its handler is told the name; ours
is done when the parsed table comes out of the browser. Every run has Zeroconfs of its own, opened
within the time. The waits are random (RFC 6762, 5.2, 6 and 8.1), hence medians of many runs.
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
from lanuno.net.discovery.mdns_browse import Browser, TableFound, browse
from lanuno.net.discovery.multicast import interfaces
from lanuno.net.transport.adapters import scan
from tests.bench.row import Row
from tests.harness.sockets.adverts import TABLE

REPEATS = 11
BUDGET = 1.3
SERVICE = "_lanbench._tcp.local."
PATIENCE = 20.0
LISTENED = 0.5
"""Seconds before the announcement: the listener's first questions are out."""

SETTLED = 2.0
"""Seconds before the newcomer: repetitions are over, and answers need not wait a second any more
because they have just been given."""

Seconds = tuple[float, float]
"""Until a table announced now was seen, and until it was seen by somebody who came later."""


def run() -> list[Row]:
    """Both ways, ours and the bare ones in turn."""
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
    """A table like no other."""
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
    """When a table came out of a browser."""
    async for change in browser:
        if isinstance(change, TableFound) and change.advert.id == table:
            return perf_counter()
    raise RuntimeError("the browser was closed")


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
    """Listen; the result is when the name was seen."""
    seen: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def told(*, name: str, state_change: ServiceStateChange, **_: object) -> None:
        if name == wanted and state_change is ServiceStateChange.Added and not seen.done():
            seen.set_result(perf_counter())

    AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[told])
    return seen
