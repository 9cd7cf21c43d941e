"""Announce one table by multicast DNS and by a beacon.

A network may block either way; one is enough. Without both, links and codes still reach the table.
Both announce the same advert. A lobby's beacon ends with the lobby. A node that begins to announce
later also starts a beacon: an elected host, or a node that searches for its table.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.beacon import Beacon, broadcast
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import chosen

if TYPE_CHECKING:
    from lanuno.net.discovery.mdns_announce import Advert

MULTICAST_FAULTS: Final = frozenset({NetFault.MULTICAST, NetFault.MULTICAST_PORT})
"""Errors after which beacons, links and codes still work."""

_log = logging.getLogger(__name__)


class Announcer:
    """Announces a table. Create it with `announce`, and withdraw it when the table closes."""

    def __init__(
        self,
        table: TableAdvert,
        advert: Advert | None,
        beacon: Beacon | None,
        multicast_fault: NetFault | None = None,
    ) -> None:
        """Take ownership of an advert and a beacon. Use `announce` instead."""
        self.multicast_fault = multicast_fault
        """Why the table is not announced by multicast DNS, or None."""
        self._table = table
        self._advert = advert
        self._beacon = beacon
        self._withdrawing: set[asyncio.Task[None]] = set()

    @property
    def table(self) -> TableAdvert:
        """The advert with the announced addresses."""
        return self._table if self._advert is None else self._advert.table

    def update(self, table: TableAdvert) -> None:
        """Change the advert. Unless its state is `OPEN`, this also withdraws the beacon."""
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
        """Send a goodbye by multicast DNS and by the beacon, and close."""
        try:
            if self._beacon is not None:
                await self._beacon.withdraw()
            if self._withdrawing:
                await asyncio.wait(self._withdrawing)
        finally:
            if self._advert is not None:
                await self._advert.withdraw()


async def announce(table: TableAdvert, *, adapter: str | None = None) -> Announcer:
    """Announce a table on every physical adapter, or on the named one.

    The addresses of the adapters replace `table.addresses`. On loopback alone no beacon is sent,
    because it would reach nobody. Raises `NetError`: `ADAPTER`, `PROTOCOL`.
    """
    # zeroconf is loaded when it is first used: the first page of the window comes sooner.
    from lanuno.net.discovery import mdns_announce

    adapters = chosen(adapter)
    addresses = tuple(address for each in adapters for address in each.ipv4 + each.ipv6)
    table = replace(table, addresses=addresses)
    beacon: Beacon | None = None
    if not all(each.loopback for each in adapters):
        with suppress(NetError):
            beacon = await broadcast(table, adapter=adapter)
    try:
        return Announcer(table, await mdns_announce.advertise(table, adapter=adapter), beacon)
    except BaseException as error:
        if isinstance(error, NetError) and error.fault in MULTICAST_FAULTS:
            _log.info("the table is not announced by multicast: %s", error)
            return Announcer(table, None, beacon, error.fault)
        # This handles cancellation too: nothing else would withdraw the beacon.
        if beacon is not None:
            await beacon.withdraw()
        raise
