"""Looking for tables in every way at once: multicast DNS, and beacons where that is blocked.

What is heard is a hint in both cases. A table heard of in both ways is one table; what differs in
more than a table changes is another one (`gathering.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from lanuno.net.beacon import BeaconBrowser, watch
from lanuno.net.browse import Browser, browse
from lanuno.net.errors import NetError
from lanuno.net.gathering import gather
from lanuno.net.to_the_end import to_the_end
from lanuno.net.txt import TableAdvert, TableState


class Lookout:
    """Hears of tables. Make it with `look_out`, and close it."""

    def __init__(self, browser: Browser | None, beacons: BeaconBrowser | None) -> None:
        """Take over what listens; use `look_out` instead."""
        self._browser = browser
        self._beacons = beacons

    @property
    def tables(self) -> Mapping[str, TableAdvert]:
        """All tables heard of now, by `key_of`; what multicast DNS says goes first.

        Several may have one id: not more than one of them is what it says.
        """
        return gather(each for each in self.adverts if each.state is not TableState.SEEKING)

    @property
    def adverts(self) -> Sequence[TableAdvert]:
        """All that is heard now, of players who look for their table too."""
        ways = (self._browser, self._beacons)
        return [each for way in ways if way is not None for each in way.tables.values()]

    def asked(self, key: str, answered: bool) -> None:
        """A table's host was asked: where there are too many, those that answer are kept."""
        for way in (self._browser, self._beacons):
            if way is not None:
                way.asked(key, answered=answered)

    async def close(self) -> None:
        """Stop listening."""
        try:
            if self._beacons is not None:
                await self._beacons.close()
        finally:
            if self._browser is not None:
                await self._browser.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


async def look_out(*, adapter: str | None = None) -> Lookout:
    """Listen on every real adapter, or on the named one.

    Raises `NetError` if nothing can be heard in any way: what multicast DNS failed with.
    """
    opening = asyncio.ensure_future(_open(adapter))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        # Never broken off half-way: what it has opened by then would stay open.
        with suppress(NetError):
            await to_the_end(_close(opening))
        raise


async def _close(opening: asyncio.Future[Lookout]) -> None:
    """Close what listens once all of it is open."""
    await (await opening).close()


async def _open(adapter: str | None) -> Lookout:
    beacons: BeaconBrowser | None = None
    with suppress(NetError):
        beacons = await watch(adapter=adapter)
    try:
        return Lookout(await browse(adapter=adapter), beacons)
    except NetError:
        if beacons is None:
            raise
        return Lookout(None, beacons)
