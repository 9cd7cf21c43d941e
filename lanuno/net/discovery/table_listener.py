"""Listen for tables in two ways: by multicast DNS, and by beacons where that is blocked.

Both give hints only. A table announced both ways is one table. Adverts that differ in what a table
never changes are different tables (`dedupe.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Self

from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.beacon import BeaconBrowser, browse_beacons
from lanuno.net.discovery.dedupe import merge_adverts, table_key
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.to_completion import to_completion

if TYPE_CHECKING:
    from lanuno.net.discovery.mdns_browse import Browser


class TableListener:
    """Receives adverts of tables. Create it with `listen_for_tables`, and close it after use."""

    def __init__(
        self,
        multicast: Browser | None,
        *beacons: BeaconBrowser,
        multicast_fault: NetFault | None = None,
    ) -> None:
        """Take ownership of browsers. Use `listen_for_tables` instead."""
        self._multicast = multicast
        self._sources = [each for each in (multicast, *beacons) if each is not None]
        self.multicast_fault = multicast_fault
        """Why only beacons are received, or None."""

    @property
    def tables(self) -> Mapping[str, TableAdvert]:
        """All currently announced tables, by `table_key`; those of multicast DNS first.

        If several have the same id, at most one of them is genuine.
        """
        return merge_adverts(each for each in self.adverts if each.state is not TableState.SEEKING)

    @property
    def adverts(self) -> Sequence[TableAdvert]:
        """All adverts received, including those of players who search for their table."""
        return [each for source in self._sources for each in source.tables.values()]

    @property
    def by_multicast(self) -> Collection[str]:
        """The `table_key` of each table announced by multicast DNS."""
        if self._multicast is None:
            return ()
        return {table_key(each) for each in self._multicast.tables.values()}

    def host_probed(self, key: str, answered: bool) -> None:
        """Record the result of a probe. With too many adverts, those that answer are kept."""
        for source in self._sources:
            source.host_probed(key, answered=answered)

    async def close(self) -> None:
        """Stop listening."""
        async with AsyncExitStack() as last_first:
            for source in self._sources:
                last_first.push_async_callback(source.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def listen_for_tables(*, adapter: str | None = None) -> TableListener:
    """Listen on every physical adapter, or on the named one.

    Raises the `NetError` of multicast DNS if neither way works.
    """
    opening = asyncio.ensure_future(_open(adapter))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        # Let the opening finish: sockets that it opened would otherwise stay open.
        with suppress(NetError):
            await to_completion(_close(opening))
        raise


async def _close(opening: asyncio.Future[TableListener]) -> None:
    """Close the listener once it is open."""
    await (await opening).close()


async def _open(adapter: str | None) -> TableListener:
    # zeroconf is loaded when it is first used: the first page of the window comes sooner.
    from lanuno.net.discovery import mdns_browse

    beacons: list[BeaconBrowser] = []
    with suppress(NetError):
        beacons.append(await browse_beacons(adapter=adapter))
    try:
        return TableListener(await mdns_browse.browse(adapter=adapter), *beacons)
    except NetError as error:
        if not beacons:
            raise
        return TableListener(None, *beacons, multicast_fault=error.fault)
