"""Being found: one table announced by multicast DNS and, while it is open, by a beacon.

Either way may be impossible on a network; one of them is enough. What is said is the same.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from lanuno.net.adapters import chosen
from lanuno.net.advert import Advert, advertise
from lanuno.net.beacon import Beacon, shine
from lanuno.net.errors import Fault, NetError
from lanuno.net.txt import TableAdvert, TableState


class Presence:
    """A table being announced. Make it with `announce`; withdraw it when the table closes."""

    def __init__(self, table: TableAdvert, advert: Advert | None, beacon: Beacon | None) -> None:
        """Take over what announces; use `announce` instead."""
        self._table = table
        self._advert = advert
        self._beacon = beacon
        self._leaving: set[asyncio.Task[None]] = set()

    @property
    def table(self) -> TableAdvert:
        """What is announced, with the addresses that others are told."""
        return self._table if self._advert is None else self._advert.table

    def update(self, table: TableAdvert) -> None:
        """Announce this from now on; a table that plays needs no beacon any more."""
        self._table = table
        if self._advert is not None:
            self._advert.update(table)
        if self._beacon is None:
            return
        if table.state is TableState.OPEN:
            self._beacon.update(table)
            return
        leaving = asyncio.create_task(self._beacon.withdraw())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)
        self._beacon = None

    async def withdraw(self) -> None:
        """Say goodbye both ways, and close."""
        try:
            if self._beacon is not None:
                await self._beacon.withdraw()
            if self._leaving:
                await asyncio.wait(self._leaving)
        finally:
            if self._advert is not None:
                await self._advert.withdraw()


async def announce(table: TableAdvert, *, adapter: str | None = None) -> Presence:
    """Announce a table on every real adapter, or on the named one.

    `addresses` of the table are replaced by those of the adapters. On loopback alone there is
    nobody that a beacon could reach. Raises `NetError` if it can be announced in no way.
    """
    adapters = chosen(adapter)
    addresses = tuple(address for each in adapters for address in each.ipv4 + each.ipv6)
    table = replace(table, addresses=addresses)
    beacon: Beacon | None = None
    if not all(each.loopback for each in adapters):
        with suppress(NetError):
            beacon = await shine(table, adapter=adapter)
    try:
        return Presence(table, await advertise(table, adapter=adapter), beacon)
    except BaseException as error:
        if beacon is None:
            raise
        if isinstance(error, NetError) and error.fault is Fault.MULTICAST:
            return Presence(table, None, beacon)
        # Also if this is called off, which takes a second: nobody else knows of the beacon.
        await beacon.withdraw()
        raise
