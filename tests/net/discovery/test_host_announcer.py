"""A table in progress is announced by its host only, in its current state."""

from __future__ import annotations

import asyncio

import pytest

from lanuno.net.discovery import beacon, mdns_announce
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.host_announcer import HostAnnouncer
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError, NetFault
from lanuno.table.metadata import TableMetadata
from tests.harness.log_table.log_table import identity, new_table
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.changes import TableFound, TableGone, next_change
from tests.harness.sockets.running import run, until
from tests.net.loopback_network import Noted, Slow


def host_announcer_on(around: NetworkContext) -> HostAnnouncer:
    """Return the announcer of a table in progress, on a computer that is not its host yet."""
    return HostAnnouncer(around, new_table(2).genesis, identity(0), TableMetadata(), 1)


@pytest.mark.usefixtures("outward")
@pytest.mark.parametrize("state", [TableState.PLAYING, TableState.SEEKING])
def test_a_host_or_a_searching_player_is_found_by_beacon_if_multicast_is_blocked(
    monkeypatch: pytest.MonkeyPatch, beacon_port: int, state: TableState
) -> None:
    async def blocked(_table: TableAdvert, **_how: object) -> None:
        raise NetError(NetFault.MULTICAST)

    monkeypatch.setattr(mdns_announce, "advertise", blocked)
    monkeypatch.setattr(beacon, "BEACON_SECONDS", 0.05)

    async def main() -> None:
        async with await beacon.browse_beacons(port=beacon_port) as browser:
            genesis = new_table(2).genesis
            host_announcer = HostAnnouncer(
                NetworkContext(), genesis, identity(0), TableMetadata(), 1, state=state
            )
            host_announcer.set_active(True)
            found = await asyncio.wait_for(next_change(browser), 10)
            assert isinstance(found, TableFound)
            assert found.advert.state is state
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(next_change(browser), 0.2)
            await host_announcer.close()
            assert isinstance(await asyncio.wait_for(next_change(browser), 10), TableGone)

    run(main())


def test_a_match_that_ends_while_it_is_being_announced_is_over() -> None:
    async def main() -> None:
        around = Slow()
        host_announcer = host_announcer_on(around)
        host_announcer.set_active(True)
        await around.asked.wait()
        host_announcer.match_over()
        around.go_on.set()
        await until(lambda: bool(around.said))
        await host_announcer.close()
        assert [each.table.state for each in around.said] == [TableState.OVER]

    run(main())


@pytest.mark.parametrize("on", [True, False])
def test_an_announcement_of_the_lobby_that_comes_late_is_withdrawn(
    on: bool,
) -> None:
    """The bots filled the table before it was announced, or it has another host by then."""

    async def main() -> None:
        around, room = Slow(), Noted(TABLE)
        host_announcer = host_announcer_on(around)
        host_announcer.set_active(True)
        await around.asked.wait()
        host_announcer.set_active(on)
        host_announcer.take_over(room)
        around.go_on.set()
        await until(lambda: room.withdrawn)
        assert room.table.state is TableState.PLAYING
        (said,) = around.said
        assert said.withdrawn is not on
        await host_announcer.close()
        assert said.withdrawn

    run(main())


def test_an_announcement_of_the_lobby_that_comes_in_time_is_kept() -> None:
    async def main() -> None:
        around, room = Slow(), Noted(TABLE)
        host_announcer = host_announcer_on(around)
        host_announcer.set_active(True)
        host_announcer.take_over(room)
        await asyncio.sleep(0)
        assert not around.asked.is_set()
        host_announcer.match_over()
        assert room.table.state is TableState.OVER
        assert not room.withdrawn
        await host_announcer.close()
        assert room.withdrawn

    run(main())


def test_a_node_that_becomes_the_host_while_it_closes_is_not_announced() -> None:
    async def main() -> None:
        around, room = Slow(), Noted(TABLE)
        host_announcer = host_announcer_on(around)
        await host_announcer.close()
        host_announcer.set_active(True)
        # Let a task that it might have created run.
        await asyncio.sleep(0)
        assert not around.asked.is_set()
        host_announcer.take_over(room)
        await until(lambda: room.withdrawn)
        assert not around.asked.is_set()

    run(main())
