"""Announces one table by multicast DNS and, while it is open, by a beacon.

Either may be impossible on a network; one of them is enough. Both announce the same.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.beacon import Beacon, broadcast
from lanuno.net.discovery.mdns_announce import Advert, advertise
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import chosen


class Announcer:
    """A table being announced. Make it with `announce`; withdraw it when the table closes."""

    def __init__(self, table: TableAdvert, advert: Advert | None, beacon: Beacon | None) -> None:
        """Take over an advert and a beacon; use `announce` instead."""
        self._table = table
        self._advert = advert
        self._beacon = beacon
        self._withdrawing: set[asyncio.Task[None]] = set()

    @property
    def table(self) -> TableAdvert:
        """What is announced, with the announced addresses."""
        return self._table if self._advert is None else self._advert.table

    def update(self, table: TableAdvert) -> None:
        """Announce this from now on; a table that plays needs no beacon."""
        self._table = table
        if self._advert is not None:
            self._advert.update(table)
        if self._beacon is None:
            return
        if table.state is TableState.OPEN:
            self._beacon.update(table)
            return
        withdrawing = asyncio.create_task(self._beacon.withdraw())
        self._withdrawing.add(withdrawing)
        withdrawing.add_done_callback(self._withdrawing.discard)
        self._beacon = None

    async def withdraw(self) -> None:
        """Say goodbye both ways, and close."""
        try:
            if self._beacon is not None:
                await self._beacon.withdraw()
            if self._withdrawing:
                await asyncio.wait(self._withdrawing)
        finally:
            if self._advert is not None:
                await self._advert.withdraw()


async def announce(table: TableAdvert, *, adapter: str | None = None) -> Announcer:
    """Announce a table on every real adapter, or on the named one.

    `addresses` of the table are replaced by those of the adapters. On loopback alone there is no
    beacon, because it would reach nobody. Raises `NetError` if neither way works.
    """
    adapters = chosen(adapter)
    addresses = tuple(address for each in adapters for address in each.ipv4 + each.ipv6)
    table = replace(table, addresses=addresses)
    beacon: Beacon | None = None
    if not all(each.loopback for each in adapters):
        with suppress(NetError):
            beacon = await broadcast(table, adapter=adapter)
    try:
        return Announcer(table, await advertise(table, adapter=adapter), beacon)
    except BaseException as error:
        if beacon is None:
            raise
        if isinstance(error, NetError) and error.fault is NetFault.MULTICAST:
            return Announcer(table, None, beacon)
        # Also if this is cancelled: nothing else would withdraw the beacon.
        await beacon.withdraw()
        raise
