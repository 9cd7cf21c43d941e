"""Listening for tables in two ways, over real multicast DNS and real broadcasts on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest

from lanuno.net.discovery import beacon, mdns_browse, table_listener
from lanuno.net.discovery.advert import TableState
from lanuno.net.discovery.beacon import BeaconBrowser
from lanuno.net.discovery.dedupe import table_key
from lanuno.net.discovery.mdns_browse import Browser
from lanuno.net.discovery.table_listener import TableListener, listen_for_tables
from lanuno.net.errors import NetError, NetFault
from tests.harness.sockets.running import run, until
from tests.net import mdns


@pytest.fixture
def own_network(monkeypatch: pytest.MonkeyPatch, beacon_port: int) -> None:
    """Let listeners hear only the service type and the port of this test."""
    by_mdns = partial(mdns_browse.browse, service=mdns.SERVICE)
    by_beacon = partial(beacon.browse_beacons, port=beacon_port)
    monkeypatch.setattr(mdns_browse, "browse", by_mdns)
    monkeypatch.setattr(table_listener, "browse_beacons", by_beacon)


async def fails(**_how: object) -> None:
    raise NetError(NetFault.MULTICAST, "blocked")


async def fails_otherwise(**_how: object) -> None:
    raise NetError(NetFault.PORT, "taken")


@asynccontextmanager
async def announced_both_ways(port: int) -> AsyncIterator[tuple[str, str]]:
    """Announce one table by multicast DNS, another by a beacon; yield their keys."""
    first, second = replace(mdns.table(), name="first"), replace(mdns.table(), name="second")
    async with (
        await mdns.advertise(first),
        await beacon.broadcast(second, adapter="127.0.0.1", port=port),
    ):
        yield table_key(first), table_key(second)


@pytest.mark.usefixtures("own_network")
def test_tables_of_both_ways_are_listed(beacon_port: int) -> None:
    async def main() -> None:
        async with (
            announced_both_ways(beacon_port) as (first, second),
            await listen_for_tables(adapter="127.0.0.1") as listener,
        ):
            await until(lambda: list(listener.tables) == [first, second])
            listener.host_probed(first, answered=True)
            listener.host_probed(second, answered=False)
            by_mdns, by_beacon = listener._sources
            assert by_mdns is not None
            assert by_beacon is not None
            assert by_mdns._list._host_reached == {first: True}
            assert by_beacon._list._host_reached == {second: False}

    run(main())


@pytest.mark.usefixtures("own_network")
def test_a_table_that_is_announced_in_both_ways_is_listed_once(beacon_port: int) -> None:
    async def main() -> None:
        table = mdns.table()
        async with (
            await mdns.advertise(table),
            await beacon.broadcast(table, adapter="127.0.0.1", port=beacon_port),
            await listen_for_tables(adapter="127.0.0.1") as listener,
        ):
            await until(lambda: len(listener.adverts) == 2)
            (listed,) = listener.tables.values()
            assert (listed.id, listed.addresses[0]) == (table.id, "127.0.0.1")

    run(main())


@pytest.mark.usefixtures("own_network")
def test_a_searching_player_is_heard_but_does_not_count_as_a_table(beacon_port: int) -> None:
    async def main() -> None:
        searching = replace(mdns.table(), state=TableState.SEEKING)
        async with (
            await mdns.advertise(searching),
            await listen_for_tables(adapter="127.0.0.1") as listener,
        ):
            await until(lambda: [each.id for each in listener.adverts] == [searching.id])
            assert listener.tables == {}

    run(main())


@pytest.mark.usefixtures("own_network")
@pytest.mark.parametrize("blocked", ["browse", "browse_beacons"])
def test_a_table_is_found_if_one_of_the_two_ways_fails(
    monkeypatch: pytest.MonkeyPatch, beacon_port: int, blocked: str
) -> None:
    module = mdns_browse if blocked == "browse" else table_listener
    monkeypatch.setattr(module, blocked, fails)

    async def main() -> None:
        async with (
            announced_both_ways(beacon_port) as (first, second),
            await listen_for_tables(adapter="127.0.0.1") as listener,
        ):
            left = second if blocked == "browse" else first
            await until(lambda: list(listener.tables) == [left])
            listener.host_probed(left, answered=True)

    run(main())


def test_without_either_way_the_error_of_multicast_is_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mdns_browse, "browse", fails)
    monkeypatch.setattr(table_listener, "browse_beacons", fails_otherwise)

    async def main() -> None:
        with pytest.raises(NetError) as caught:
            await listen_for_tables(adapter="127.0.0.1")
        assert caught.value.fault is NetFault.MULTICAST

    run(main())


@pytest.mark.usefixtures("own_network")
@pytest.mark.parametrize("works", [True, False])
def test_a_cancelled_opening_closes_its_later_sockets(
    monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    """`run` fails if a socket or a task is left."""
    begun, go_on = asyncio.Event(), asyncio.Event()
    opened: list[Browser] = []
    browse = mdns_browse.browse

    async def slowly(**how: str | None) -> Browser:
        begun.set()
        await go_on.wait()
        if not works:
            raise NetError(NetFault.MULTICAST)
        opened.append(await browse(adapter="127.0.0.1", service=mdns.SERVICE))
        return opened[-1]

    monkeypatch.setattr(mdns_browse, "browse", slowly)

    async def main() -> None:
        opening = asyncio.create_task(listen_for_tables(adapter="127.0.0.1"))
        await begun.wait()
        opening.cancel()
        await asyncio.sleep(0)
        assert not opening.done(), "it waits, because nothing else would close the sockets"
        go_on.set()
        await asyncio.wait((opening,))
        assert opening.cancelled()
        assert [each._closed for each in opened] == ([True] if works else [])

    run(main())


def test_multicast_is_closed_even_if_the_beacons_cannot_be(
    monkeypatch: pytest.MonkeyPatch, beacon_port: int
) -> None:
    async def main() -> None:
        browser = await mdns.browse()
        beacons = await beacon.browse_beacons(adapter="127.0.0.1", port=beacon_port)
        close = beacons.close

        async def broken(_beacons: BeaconBrowser) -> None:
            await close()
            raise OSError("no")

        monkeypatch.setattr(BeaconBrowser, "close", broken)
        with pytest.raises(OSError, match="no"):
            await TableListener(browser, beacons).close()
        assert browser._closed

    run(main())
