"""Tables appear, change and vanish, over real multicast DNS on loopback.

Each test uses its own service type, because other tests send mDNS on loopback at the same time.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from zeroconf.asyncio import AsyncZeroconf

from lanuno.net.discovery import mdns_browse, multicast
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.mdns_announce import instance_name
from lanuno.net.discovery.mdns_browse import TableChanged, TableFound, TableGone
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import Adapter
from tests.harness.sockets import dns
from tests.harness.sockets.running import run, until
from tests.net import mdns


def test_a_table_appears_changes_and_vanishes() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with await mdns.browse() as browser:
            async with await mdns.advertise(mine) as advert:
                found = await mdns.next_of(browser, mine)
                assert found == TableFound(f"{advert.name}.{mdns.SERVICE}", mine)
                assert browser.tables[found.key] == mine
                assert advert.table == mine
                fuller = replace(mine, taken=2, state=TableState.PLAYING, id=bytes(32))
                advert.update(fuller)
                assert await mdns.seen(browser, fuller) == TableChanged(found.key, fuller)
                emptier = replace(mine, taken=0)
                advert.update(emptier)
                assert await mdns.seen(browser, emptier) == TableChanged(found.key, emptier)
            assert await mdns.next_of(browser, mine) == TableGone(found.key, emptier)
            assert found.key not in browser.tables

    run(main())


def test_who_comes_later_hears_of_tables_too() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with (
            await mdns.advertise(mine),
            await mdns.browse() as browser,
        ):
            assert isinstance(await mdns.next_of(browser, mine), TableFound)

    run(main())


def test_changes_back_and_forth_end_with_the_last_one() -> None:
    """The cache of zeroconf still has the first record, and would not report its return."""

    async def main() -> None:
        mine = mdns.table()
        async with (
            await mdns.browse() as browser,
            await mdns.advertise(mine) as advert,
        ):
            await mdns.seen(browser, mine)
            for taken in (2, 1, 2, 1):
                advert.update(replace(mine, taken=taken))
                await mdns.seen(browser, replace(mine, taken=taken))

    run(main())


def test_many_changes_at_once_are_one() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with (
            await mdns.browse() as browser,
            await mdns.advertise(mine) as advert,
        ):
            await mdns.seen(browser, mine)
            for port in range(1, 1001):
                advert.update(replace(mine, port=port))
            last = replace(mine, port=1000)
            await mdns.seen(browser, last)
            assert advert.table.update <= 3
            advert.update(last)

    run(main())


def test_saying_the_same_again_says_nothing() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with await mdns.advertise(mine) as advert:
            for same in (mine, advert.table, replace(mine, addresses=(), update=9)):
                advert.update(same)
                assert not advert._dirty.is_set()

    run(main())


def test_a_reader_that_is_slow_gets_the_end_of_the_story() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with await mdns.browse() as browser:
            async with await mdns.advertise(mine) as advert:
                key = f"{advert.name}.{mdns.SERVICE}"
                await until(lambda: key in browser.tables)
                advert.update(replace(mine, taken=4))
                await until(lambda: browser.tables[key].taken == 4)
                assert (await mdns.next_of(browser, mine)).advert.taken == 4
            await until(lambda: key not in browser.tables)
            assert isinstance(await mdns.next_of(browser, mine), TableGone)
            assert not browser._list._dirty.keys() & {key}
            assert key not in browser._list._reported

    run(main())


def test_what_came_and_went_unseen_is_not_told() -> None:
    async def main() -> None:
        first, second = mdns.table(), mdns.table()
        async with await mdns.browse() as browser:
            async with await mdns.advertise(first) as advert:
                key = f"{advert.name}.{mdns.SERVICE}"
                await until(lambda: key in browser.tables)
            await until(lambda: key not in browser.tables)
            async with await mdns.advertise(second):
                async for change in browser:
                    assert change.advert.id != first.id
                    if change.advert.id == second.id:
                        break

    run(main())


HOST_PROGRAM = """
import asyncio, sys
from lanuno.net.discovery import mdns_announce
from tests.net import mdns
from dataclasses import replace

mdns_announce.TTL_SECONDS = int(sys.argv[2])

async def main():
    mine = replace(mdns.table(), id=bytes.fromhex(sys.argv[1]))
    async with await mdns_announce.advertise(mine, adapter="lo", service=sys.argv[3]):
        print("ready", flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@asynccontextmanager
async def host_program(of: TableAdvert, ttl: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a process that advertises a table until it is interrupted or killed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-c", HOST_PROGRAM, of.id.hex(), str(ttl), mdns.SERVICE),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path])},
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        # asyncio closes the transport of the pipe a tick after the process has ended.
        await until(process._transport.is_closing)  # type: ignore[attr-defined]


def test_ctrl_c_withdraws_the_table() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with await mdns.browse() as browser, host_program(mine, 60) as process:
            found = await mdns.next_of(browser, mine)
            process.send_signal(signal.SIGINT)
            assert await mdns.next_of(browser, mine) == TableGone(found.key, found.advert)

    run(main())


def test_a_host_that_was_killed_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdns_browse, "RECHECK_SECONDS", 0.2)
    monkeypatch.setattr(mdns_browse, "RESOLVE_SECONDS", 0.5)

    async def main() -> None:
        mine = mdns.table()
        async with await mdns.browse() as browser, host_program(mine, 2) as process:
            found = await mdns.next_of(browser, mine)
            process.kill()
            assert await mdns.next_of(browser, mine) == TableGone(found.key, found.advert)
            # The table may return under the same name.
            dns.say(mdns.service(found.key.split(".")[0].encode(), mdns.raw_text(mine)))
            assert isinstance(await mdns.next_of(browser, mine), TableFound)

    run(main())


# Names.


def test_names_are_unique() -> None:
    mine = mdns.table()
    names = {instance_name(mine.id) for _ in range(100)}
    assert len(names) == 100
    assert all(name.startswith(mine.id.hex()[:16]) and len(name) <= 63 for name in names)


def test_a_name_that_is_taken_is_not_used() -> None:
    async def main() -> None:
        first, second = mdns.table(), mdns.table()
        taken = secrets.token_hex(8)
        names = iter([taken, taken, f"{taken}-other"])
        async with (
            await mdns.browse() as browser,
            await mdns.advertise(first, new_name=lambda _: taken),
            await mdns.advertise(second, new_name=lambda _: next(names)) as other,
        ):
            assert other.name == f"{taken}-other"
            keys = {
                (await mdns.next_of(browser, first)).key,
                (await mdns.next_of(browser, second)).key,
            }
            assert keys == {f"{taken}.{mdns.SERVICE}", f"{taken}-other.{mdns.SERVICE}"}

    run(main())


def test_a_stranger_that_claims_every_name_does_not_stop_us() -> None:
    async def main() -> None:
        first, second = mdns.table(), mdns.table()
        taken = secrets.token_hex(8)
        async with (
            await mdns.advertise(first, new_name=lambda _: taken),
            await mdns.advertise(second, new_name=lambda _: taken) as other,
        ):
            assert other.name == taken

    run(main())


# Ends and failures.


def test_closing_ends_the_iteration() -> None:
    async def main() -> None:
        browser = await mdns.browse()

        async def read() -> int:
            return len([change async for change in browser])

        reading = asyncio.create_task(read())
        await asyncio.sleep(0)
        await browser.close()
        await browser.close()
        await reading

    run(main())


def test_withdrawing_twice_and_updating_after() -> None:
    async def main() -> None:
        mine = mdns.table()
        advert = await mdns.advertise(mine)
        await asyncio.gather(advert.withdraw(), advert.withdraw())
        advert.update(replace(mine, taken=2))

    run(main())


@pytest.mark.parametrize("change", [{"name": ""}, {"taken": 9}, {"fp": "no"}])
def test_what_nobody_would_accept_is_not_advertised(change: dict[str, object]) -> None:
    async def main() -> None:
        mine = mdns.table()
        bad = replace(mine, **change)  # type: ignore[arg-type]
        with pytest.raises(NetError) as caught:
            await mdns.advertise(bad)
        assert caught.value.fault is NetFault.PROTOCOL
        async with await mdns.advertise(mine) as advert:
            with pytest.raises(NetError) as caught:
                advert.update(bad)
            assert caught.value.fault is NetFault.PROTOCOL

    run(main())


def test_no_such_adapter() -> None:
    async def main() -> None:
        for attempt in (
            mdns.browse(adapter="no-such"),
            mdns.advertise(mdns.table(), adapter="no-such"),
        ):
            with pytest.raises(NetError) as caught:
                await attempt
            assert caught.value.fault is NetFault.ADAPTER

    run(main())


def test_multicast_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> AsyncZeroconf:
        raise OSError("no")

    async def main() -> None:
        monkeypatch.setattr(multicast, "AsyncZeroconf", broken)
        with pytest.raises(NetError) as caught:
            await mdns.browse()
        assert caught.value.fault is NetFault.MULTICAST

    run(main())


def test_a_system_without_ipv6_has_half_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    real = AsyncZeroconf
    tried: list[list[str]] = []

    def half(*, interfaces: list[str], **rest: object) -> AsyncZeroconf:
        tried.append(interfaces)
        if any(":" in each for each in interfaces):
            raise OSError("no IPv6")
        return real(interfaces=interfaces)

    async def main() -> None:
        monkeypatch.setattr(multicast, "AsyncZeroconf", half)
        odd = Adapter("odd", 1, ("127.0.0.1",), ("fe80::1",))
        monkeypatch.setattr(Adapter, "loopback", False)
        async with await mdns.browse(scan=lambda: [odd]):
            assert tried == [["127.0.0.1", "fe80::1"], ["127.0.0.1"]]

    run(main())


def test_adapters_come_and_go() -> None:
    one = Adapter("lo", 1, ("127.0.0.1",), ())
    two = Adapter("lo", 1, ("127.0.0.1", "127.0.0.2"), ())
    now: list[Adapter | None] = [one]

    def scan() -> list[Adapter]:
        if now[0] is None:
            raise NetError(NetFault.ADAPTER)
        return [now[0]]

    async def main() -> None:
        mine = mdns.table()
        async with (
            await mdns.browse() as browser,
            await mdns.advertise(mine, scan=scan) as advert,
        ):
            only = replace(mine, addresses=("127.0.0.1",))
            await mdns.seen(browser, only)
            now[0] = two
            await advert._multicast.rescan()
            await until(
                lambda: any(
                    set(each.addresses) == {"127.0.0.1", "127.0.0.2"}
                    for each in browser.tables.values()
                )
            )
            now[0] = None
            await advert._multicast.rescan()
            assert advert._multicast.adapters == (two,)

    run(main())


def test_the_port_of_multicast_dns_is_shared() -> None:
    """Another responder on this computer, such as Avahi, must still be able to start."""

    async def main() -> None:
        async with await mdns.browse():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                sock.bind(("", 5353))

    run(main())
