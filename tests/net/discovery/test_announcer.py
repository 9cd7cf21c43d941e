"""A table is announced by multicast DNS and by a beacon, unless its announcement is cancelled."""

from __future__ import annotations

import asyncio

import pytest

from lanuno.net.discovery import beacon
from lanuno.net.discovery.announcer import announce
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.changes import TableFound, TableGone, next_change
from tests.harness.sockets.running import run


@pytest.mark.usefixtures("outward")
def test_a_cancelled_announcement_withdraws_its_beacon(beacon_port: int) -> None:
    async def main() -> None:
        async with await beacon.browse_beacons(port=beacon_port) as browser:
            announcing = asyncio.create_task(announce(TABLE))
            assert isinstance(await next_change(browser), TableFound)
            announcing.cancel()
            await asyncio.wait([announcing])
            assert announcing.cancelled()
            assert isinstance(await next_change(browser), TableGone)

    run(main())
