"""Beacons: receiving them with a simulated clock, and real broadcasts on loopback."""

from __future__ import annotations

import asyncio
import socket
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.net.discovery import beacon
from lanuno.net.discovery import beacon as beacon_module
from lanuno.net.discovery.advert import TableAdvert, decode_txt
from lanuno.net.discovery.beacon import (
    BEACON_EXPIRY_SECONDS,
    Beacon,
    BeaconBrowser,
    BeaconTables,
    datagram,
)
from lanuno.net.discovery.table_list import MAX_TABLES, TableList
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import Adapter
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.changes import TableChanged, TableFound, TableGone, next_change
from tests.harness.sockets.running import run, until
from tests.net.faults import awaited_fault
from tests.net.loopback_network import OUTWARD


async def open_beacon(table: TableAdvert, port: int, adapter: str = "127.0.0.1") -> Beacon:
    return await beacon_module.broadcast(table, adapter=adapter, port=port)


async def watch(port: int, adapter: str = "127.0.0.1") -> BeaconBrowser:
    return await beacon_module.browse_beacons(adapter=adapter, port=port)


# Receiving.


def test_a_table_is_heard_changed_and_withdrawn() -> None:
    async def main() -> None:
        heard = TableList()
        ear = BeaconTables(heard)
        ear.receive(datagram(TABLE), "10.0.0.1", 0.0)
        here = replace(TABLE, addresses=("10.0.0.1",))
        found = await next_change(heard)
        assert found == TableFound(found.key, here)
        ear.receive(datagram(replace(TABLE, taken=2)), "10.0.0.1", 1.0)
        assert await next_change(heard) == TableChanged(found.key, replace(here, taken=2))
        ear.receive(datagram(TABLE, here=False), "10.0.0.2", 1.0)
        assert found.key in heard.tables
        ear.receive(datagram(TABLE, here=False), "10.0.0.1", 1.0)
        assert await next_change(heard) == TableGone(found.key, replace(here, taken=2))

    run(main())


def test_a_table_that_is_not_heard_of_any_more_is_forgotten() -> None:
    heard = TableList()
    ear = BeaconTables(heard)
    ear.receive(datagram(TABLE), "10.0.0.1", 10.0)
    ear.receive(datagram(TABLE), "10.0.0.2", 11.0)
    ear.expire(10.0 + BEACON_EXPIRY_SECONDS - 0.01)
    assert len(heard.tables) == 2
    ear.expire(10.0 + BEACON_EXPIRY_SECONDS)
    assert [each.addresses for each in heard.tables.values()] == [("10.0.0.2",)]
    ear.expire(11.0 + BEACON_EXPIRY_SECONDS)
    assert not heard.tables
    assert not ear._last_received


def test_a_flood_is_bounded() -> None:
    heard = TableList()
    ear = BeaconTables(heard)
    for port in range(1, 1000):
        ear.receive(datagram(replace(TABLE, port=port)), "10.0.0.1", 0.0)
    assert len(heard.tables) == len(ear._last_received) == MAX_TABLES
    ear.expire(BEACON_EXPIRY_SECONDS)
    assert not ear._last_received


def test_an_address_that_sends_too_much_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def count(data: bytes, sources: tuple[str, ...], port: int) -> TableAdvert | None:
        read.extend(sources)
        return decode_txt(data, sources, port)

    monkeypatch.setattr(beacon, "decode_txt", count)
    heard = TableList()
    ear = BeaconTables(heard)
    for _ in range(10_000):
        ear.receive(datagram(TABLE), "10.0.0.1", 0.0)
    ear.receive(datagram(TABLE), "10.0.0.2", 0.0)
    assert (read.count("10.0.0.1"), read.count("10.0.0.2")) == (beacon.BEACON_BURST, 1)
    # All tables of a list on one computer are heard, every time.
    assert beacon.BEACON_RATE * beacon.BEACON_SECONDS >= MAX_TABLES


@given(
    st.one_of(st.binary(max_size=2000), st.binary(max_size=60).map(b"LANUNO\x01\xb9\x72".__add__))
)
def test_any_datagram_is_a_table_or_nothing(data: bytes) -> None:
    heard = TableList()
    BeaconTables(heard).receive(data, "10.0.0.1", 0.0)
    assert not heard.tables


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_byte_does_no_harm(where: int, change: int) -> None:
    data = bytearray(datagram(TABLE))
    data[where % len(data)] ^= change
    heard = TableList()
    BeaconTables(heard).receive(bytes(data), "10.0.0.1", 0.0)
    assert len(heard.tables) <= 1


@pytest.mark.parametrize(
    "data", [b"LANUNO\x02" + datagram(TABLE)[7:], datagram(TABLE) + bytes(2000)]
)
def test_odd_datagrams(data: bytes) -> None:
    heard = TableList()
    BeaconTables(heard).receive(data, "10.0.0.1", 0.0)
    assert not heard.tables


# Real broadcasts.


def test_adapters_come_and_go(monkeypatch: pytest.MonkeyPatch, beacon_port: int) -> None:
    """Sender and receiver skip an adapter that is missing, and use it once it is there."""
    monkeypatch.setattr(beacon_module, "BEACON_SECONDS", 0.05)
    monkeypatch.setattr(beacon_module, "BEACON_EXPIRY_SECONDS", 0.5)
    away = Adapter("away", 9, ("203.0.113.9",), (), "", ("203.0.113.255",))
    loop = Adapter("lo", 1, ("127.0.0.1",), (), "", ("127.255.255.255",))
    six = Adapter("six", 9, (), ("fe80::1",))
    there = [away, loop]

    def chosen(_: str | None) -> list[Adapter]:
        if not there:
            raise NetError(NetFault.ADAPTER)
        return there

    monkeypatch.setattr(beacon_module, "chosen", chosen)

    async def main() -> None:
        async with (
            await watch(beacon_port) as browser,
            await open_beacon(TABLE, beacon_port) as beacon,
        ):
            assert isinstance(await next_change(browser), TableFound)
            assert list(beacon._transports) == [("127.0.0.1", "127.255.255.255")]
            there[:] = [six]
            await until(lambda: not beacon._transports and not browser._transports)
            there.clear()
            assert isinstance(await next_change(browser), TableGone)
            there[:] = [loop]
            assert isinstance(await next_change(browser), TableFound)

    run(main())


def test_a_beacon_is_seen_changes_and_goes_out(beacon_port: int) -> None:
    async def main() -> None:
        async with await watch(beacon_port) as browser, await watch(beacon_port) as second:
            async with await open_beacon(TABLE, beacon_port) as beacon:
                assert await next_change(browser) == TableFound(next(iter(browser.tables)), TABLE)
                beacon.update(replace(TABLE, addresses=(), update=8))
                assert not beacon._changed.is_set()
                beacon.update(replace(TABLE, taken=3))
                assert (await next_change(browser)).advert.taken == 3
            assert isinstance(await next_change(browser), TableGone)
            assert not browser.tables
            await until(lambda: not second.tables)
            await beacon.withdraw()

    run(main())


def test_a_beacon_repeats_itself_and_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, beacon_port: int
) -> None:
    monkeypatch.setattr(beacon_module, "BEACON_SECONDS", 0.05)
    monkeypatch.setattr(beacon_module, "BEACON_EXPIRY_SECONDS", 0.5)

    async def main() -> None:
        beacon = await open_beacon(TABLE, beacon_port)
        async with await watch(beacon_port) as browser:
            assert isinstance(await next_change(browser), TableFound)
            assert beacon._task is not None
            beacon._task.cancel()
            await asyncio.wait([beacon._task])
            assert isinstance(await next_change(browser), TableGone)
        for transport in beacon._transports.values():
            transport.close()
        await asyncio.sleep(0)

    run(main())


def test_strangers_on_the_port_do_no_harm(beacon_port: int) -> None:
    async def main() -> None:
        async with await watch(beacon_port) as browser:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
                for data in (b"", b"LANUNO", b"x" * 9000, datagram(TABLE)):
                    sock.sendto(data, ("127.255.255.255", beacon_port))
            assert isinstance(await next_change(browser), TableFound)

    run(main())


def test_each_failure_to_open_a_beacon_raises_its_fault(
    monkeypatch: pytest.MonkeyPatch, beacon_port: int
) -> None:
    async def main() -> None:
        assert await awaited_fault(watch(beacon_port, "no-such")) is NetFault.ADAPTER
        assert await awaited_fault(open_beacon(TABLE, beacon_port, "no-such")) is NetFault.ADAPTER
        assert (
            await awaited_fault(open_beacon(replace(TABLE, name=""), beacon_port))
            is NetFault.PROTOCOL
        )
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            if sys.platform == "win32":
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            sock.bind(("127.255.255.255", beacon_port))
            assert await awaited_fault(watch(beacon_port)) is NetFault.PORT
        only_six = Adapter("six", 9, (), ("fe80::1",))
        elsewhere = Adapter("away", 9, ("192.0.2.9",), (), "", ("192.0.2.255",))
        monkeypatch.setattr(beacon_module, "chosen", lambda _: (only_six,))
        assert await awaited_fault(watch(beacon_port)) is NetFault.ADAPTER
        monkeypatch.setattr(beacon_module, "chosen", lambda _: (elsewhere,))
        assert await awaited_fault(open_beacon(TABLE, beacon_port)) is NetFault.ADAPTER

    run(main())


def test_a_beacon_cancelled_while_it_starts_leaves_nothing_open(
    monkeypatch: pytest.MonkeyPatch, beacon_port: int
) -> None:
    """The beacon is cancelled while its second adapter is being opened."""
    other = Adapter("far", 2, ("127.0.0.2",), (), "", ("127.255.255.255",))
    monkeypatch.setattr(beacon, "chosen", lambda _: (OUTWARD, other))

    async def main() -> None:
        loop = asyncio.get_running_loop()
        real: Any = loop.create_datagram_endpoint
        second = asyncio.Event()
        opened = 0

        async def slowly(*how: object, **more: object) -> object:
            nonlocal opened
            opened += 1
            if opened == 2:
                second.set()
                await asyncio.Event().wait()
            return await real(*how, **more)

        monkeypatch.setattr(loop, "create_datagram_endpoint", slowly)
        shining = asyncio.create_task(beacon.broadcast(TABLE, port=beacon_port))
        await second.wait()
        shining.cancel()
        await asyncio.wait([shining])
        assert shining.cancelled()
        await asyncio.sleep(0)

    run(main())
