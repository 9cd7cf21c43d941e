"""Scenarios on two isolated computers, run as `python -m tests.lan.scenarios NAME`.

Each scenario is one function, with its assertions. `test_lan.py` runs them inside `unshare` and
checks that they succeed.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery import multicast
from lanuno.net.discovery.advert import TableState
from lanuno.net.discovery.beacon import browse_beacons
from lanuno.net.discovery.mdns_announce import advertise
from lanuno.net.discovery.mdns_browse import Browser, browse
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import chosen
from lanuno.net.transport.connect import connect, probe
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.changes import Change, TableFound, TableGone, changes, next_change
from tests.harness.sockets.running import GUEST, HOST, run, until
from tests.lan.network import (
    HERE_ADAPTER,
    HERE_ADDRESS,
    PEER_ADAPTER,
    PEER_ADDRESS,
    avahi,
    lay_cable,
    on_peer,
    program,
    python,
    tool,
)

BROWSE = ("avahi-browse", "-rp", "_lanuno._tcp")


async def avahi_sees_us_appear_change_and_vanish() -> None:
    tool("ip", "link", "add", "docker0", "type", "veth", "peer", "name", "veth0")
    tool("ip", "address", "add", "172.17.0.1/16", "dev", "docker0")
    tool("ip", "link", "set", "docker0", "up")
    async with avahi() as bus, program(*on_peer(*BROWSE), bus=bus) as browsing:
        async with await advertise(TABLE) as advert:
            assert HERE_ADDRESS in advert.table.addresses
            assert any(each.startswith("fe80:") for each in advert.table.addresses)
            assert "172.17.0.1" not in advert.table.addresses
            lines = [await browsing.line_with("=;", advert.name, ";47474;") for _ in range(2)]
            assert {line.split(";")[2] for line in lines} == {"IPv4", "IPv6"}
            line = lines[0]
            # Avahi shows one of the addresses, regardless of how it received the advert.
            assert {each.split(";")[7] for each in lines} <= set(advert.table.addresses)
            for item in ("v=1", f"id={TABLE.id.hex()}", "host=Ana", "taken=1", "state=open"):
                assert f'"{item}"' in line, line
            assert "Caf" in line
            advert.update(replace(TABLE, taken=3, state=TableState.PLAYING))
            line = await until_resolved(bus, '"taken=3"')
            assert '"state=playing"' in line
            assert "172.17.0.1" not in line
        lines = [await browsing.line_with("-;", advert.name) for _ in range(2)]
        assert {line.split(";")[2] for line in lines} == {"IPv4", "IPv6"}


async def until_resolved(bus: Path, *parts: str) -> str:
    """Query Avahi repeatedly until a line contains all of these parts."""
    while True:
        async with program(*on_peer(*BROWSE, "--terminate"), bus=bus) as asking:
            assert asking.process.stdout is not None
            text = (await asking.process.stdout.read()).decode("utf-8", "replace")
        for line in text.splitlines():
            if all(part in line for part in parts):
                return line
        await asyncio.sleep(0.05)


GARBAGE = (
    ("plain", ("x=garbage",)),
    ("empty", ()),
    ("control", ("v=1", "name=\x1b[31mred", "host=\x07")),
    ("bidi", (f"id={TABLE.id.hex()}", "v=1", "name=\u202egnp.exe", "host=Ana", "pin=0")),
    ("numbers", ("seats=99999999999999999999", "taken=-1", "v=1e9", "pin=maybe")),
    ("long", ("name=" + "x" * 240, "host=" + "y" * 240)),
    ("many", tuple(f"k{each}={each}" for each in range(100))),
    ("\u202eodd \U0001f0cf name", ("v=1",)),
)


async def garbage_from_avahi_does_no_harm() -> None:
    good = (
        *("v=1", f"id={TABLE.id.hex()}", "name=Mesa de Avahi", "host=Bea", f"fp={TABLE.fp}"),
        *("preset=classic", "seats=6", "taken=2", "state=open", "pin=1"),
    )
    async with avahi() as bus, await browse() as browser:
        async with AsyncExitStack() as published:
            for name, items in (*GARBAGE, ("good", good)):
                publish = ("avahi-publish", "-s", name, "_lanuno._tcp", "1234", *items)
                await published.enter_async_context(program(*on_peer(*publish), bus=bus))
            found = await next_change(browser)
            assert isinstance(found, TableFound)
            advert = found.advert
            assert (advert.name, advert.host, advert.seats) == ("Mesa de Avahi", "Bea", 6)
            assert (advert.taken, advert.pin, advert.port) == (2, True, 1234)
            # Its IPv6 address has a scope once a packet over IPv6 has announced it. A packet over
            # IPv4, which may come first, announces it without a scope.
            while not has_both_families(browser.tables[found.key].addresses):
                await next_change(browser)
            await until(lambda: len(browser._names) == len(GARBAGE) + 1)
            assert set(browser.tables) == {found.key}
        assert isinstance(await gone(browser), TableGone)


def has_both_families(addresses: Sequence[str]) -> bool:
    """Whether these include the other computer's IPv4 address and an IPv6 address with scope."""
    return PEER_ADDRESS in addresses and any("%" in each for each in addresses)


async def gone(browser: Browser) -> Change:
    """Return the next `TableGone`."""
    while True:
        change = await next_change(browser)
        if isinstance(change, TableGone):
            return change


async def avahi_on_the_same_computer() -> None:
    async with (
        avahi(peer=False) as bus,
        await browse() as browser,
        program(*BROWSE, bus=bus) as browsing,
        await advertise(TABLE) as advert,
    ):
        assert isinstance(await next_change(browser), TableFound)
        await browsing.line_with("=;", advert.name, ";47474;")


async def a_table_across_a_cable() -> None:
    expected = fingerprint(HOST.public)
    async with program(*on_peer(*python("tests.lan.host", PEER_ADAPTER))) as host:
        assert await host.line() == "ready"
        async with await browse() as browser:
            found = await next_change(browser)
            assert isinstance(found, TableFound)
            while not {PEER_ADDRESS} < set(browser.tables[found.key].addresses):
                await next_change(browser)
            advert = browser.tables[found.key]
            for address in (*advert.addresses, *(each.split("%")[0] for each in advert.addresses)):
                answer = await probe(
                    [address], advert.port, fingerprint=advert.fp, context=advert.id
                )
                assert answer.host.fingerprint == expected
                async with await connect([address], advert.port, GUEST) as channel:
                    channel.send(b"over the cable")
                    assert await channel.receive() == b"over the cable"
            # SIGINT, as from Ctrl-C, so the host says goodbye.
            host.process.send_signal(2)
            assert isinstance(await gone(browser), TableGone)


async def a_beacon_across_a_cable() -> None:
    async with (
        program(*on_peer(*python("tests.lan.host", PEER_ADAPTER))) as host,
        await browse_beacons() as browser,
    ):
        assert await host.line() == "ready"
        async for change in changes(browser):
            assert change.advert.addresses == (PEER_ADDRESS,)
            if isinstance(change, TableFound):
                host.process.send_signal(2)
            else:
                assert isinstance(change, TableGone)
                break


async def the_cable_is_pulled() -> None:
    async with program(*on_peer(*python("tests.lan.host", PEER_ADAPTER))) as host:
        assert await host.line() == "ready"
        channel = await connect([PEER_ADDRESS], TABLE.port, GUEST)
        channel.send(b"before")
        assert await channel.receive() == b"before"
        tool("ip", "link", "set", HERE_ADAPTER, "down")
        try:
            await channel.receive()
        except NetError as error:
            assert error.fault is NetFault.LOST
            assert "silent" in error.detail
        else:
            raise AssertionError
        await channel.close()


async def adapters_come_and_go() -> None:
    multicast.RESCAN_SECONDS = 0.5
    tool("ip", "link", "add", "late0", "type", "veth", "peer", "name", "late1")
    tool("ip", "link", "set", "late1", "netns", "peer")
    async with (
        program(*on_peer(*python("tests.lan.listener", "late1"))) as listener,
        await advertise(TABLE) as advert,
    ):
        assert {each.name for each in advert._multicast.adapters} == {HERE_ADAPTER}
        assert await listener.line() == "waiting"
        tool("ip", "address", "add", "10.78.0.1/24", "dev", "late0")
        tool("ip", "-n", "peer", "address", "add", "10.78.0.2/24", "dev", "late1")
        tool("ip", "link", "set", "late0", "up")
        tool("ip", "-n", "peer", "link", "set", "late1", "up")
        assert await listener.line() == "found 10.78.0.1"
        tool("ip", "link", "delete", "late0")
        await until(lambda: "10.78.0.1" not in advert.table.addresses)


async def only_loopback_is_left() -> None:
    tool("ip", "link", "delete", HERE_ADAPTER)
    assert {each.name for each in chosen()} == {"lo"}
    async with await browse() as browser, await advertise(TABLE):
        assert isinstance(await next_change(browser), TableFound)


SCENARIOS: dict[str, Callable[[], Awaitable[None]]] = {
    story.__name__: story
    for story in (
        avahi_sees_us_appear_change_and_vanish,
        garbage_from_avahi_does_no_harm,
        avahi_on_the_same_computer,
        a_table_across_a_cable,
        a_beacon_across_a_cable,
        the_cable_is_pulled,
        adapters_come_and_go,
        only_loopback_is_left,
    )
}


def main(name: str) -> None:
    """Set up the cable, and run one scenario."""
    logging.basicConfig(level=logging.WARNING)
    lay_cable()

    async def play() -> None:
        await SCENARIOS[name]()

    run(play())


if __name__ == "__main__":
    main(sys.argv[1])
