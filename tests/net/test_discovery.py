"""Tables appearing, changing and vanishing, over real multicast DNS on loopback.

Other tests may be speaking on loopback at the same time, some of them a lot: every test has a
service type of its own.
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
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from lanuno.net import advert as advert_module
from lanuno.net import browse as browse_module
from lanuno.net import multicast as multicast_module
from lanuno.net.adapters import Adapter
from lanuno.net.advert import Advert, instance_name
from lanuno.net.browse import Browser, Change, Changed, Found, Gone
from lanuno.net.errors import Fault, NetError
from lanuno.net.txt import TableAdvert, TableState, encode_txt
from tests.net import dns
from tests.net.running import run, until

SERVICE = "_lanuno._tcp.local."


@pytest.fixture(autouse=True)
def own_service_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shut out what other tests say on loopback."""
    monkeypatch.setitem(globals(), "SERVICE", new_service())


def new_service() -> str:
    return f"_lan{secrets.token_hex(5)}._tcp.local."


async def browse(**rest: Any) -> Browser:
    return await browse_module.browse(service=SERVICE, **({"adapter": "lo"} | rest))


async def advertise(table: TableAdvert, **rest: Any) -> Advert:
    options = {"adapter": "lo", "service": SERVICE} | rest
    return await advert_module.advertise(table, **options)


def table() -> TableAdvert:
    """A table like no other."""
    return TableAdvert(
        id=secrets.token_bytes(16),
        name="Café de Ana",
        host="Ana",
        fp="abcdefghijklmnopqrstuvwxyz234567",
        preset="classic",
        seats=4,
        taken=1,
        state=TableState.OPEN,
        pin=False,
        version=1,
        addresses=("127.0.0.1", "::1"),
        port=47474,
    )


def kind() -> list[bytes]:
    """The labels of the service type."""
    return SERVICE.rstrip(".").encode().split(b".")


def pointer() -> bytes:
    """The name under which services are found."""
    return dns.labels(kind())


def service(instance: bytes, text: bytes, port: int = 47474) -> bytes:
    """A whole advert, in one packet."""
    return dns.service(instance, kind(), text, port)


def raw_text(of: TableAdvert) -> bytes:
    return encode_txt(of)


async def next_of(browser: Browser, wanted: TableAdvert) -> Change:
    """The next change of one table."""
    async for change in browser:
        if change.advert.id == wanted.id:
            return change
    raise AssertionError("the browser has ended")


async def seen(browser: Browser, wanted: TableAdvert) -> Change:
    """Wait until the table is shown exactly like this."""
    async for change in browser:
        if change.advert == wanted:
            return change
    raise AssertionError("the browser has ended")


@asynccontextmanager
async def stranger() -> AsyncIterator[AsyncZeroconf]:
    """Another program with multicast DNS."""
    zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
    try:
        await zeroconf.zeroconf.async_wait_for_start()
        yield zeroconf
    finally:
        await zeroconf.async_close()


def foreign(text: bytes, name: str | None = None) -> ServiceInfo:
    return ServiceInfo(
        SERVICE,
        f"{name or secrets.token_hex(8)}.{SERVICE}",
        port=47474,
        properties=text,
        server=f"{secrets.token_hex(8)}.local.",
        parsed_addresses=["127.0.0.1"],
    )


def test_a_table_appears_changes_and_vanishes() -> None:
    async def main() -> None:
        mine = table()
        async with await browse() as browser:
            async with await advertise(mine) as advert:
                found = await next_of(browser, mine)
                assert found == Found(f"{advert.name}.{SERVICE}", mine)
                assert browser.tables[found.key] == mine
                assert advert.table == mine
                fuller = replace(mine, taken=2, state=TableState.PLAYING, id=bytes(32))
                advert.update(fuller)
                assert await seen(browser, fuller) == Changed(found.key, fuller)
                emptier = replace(mine, taken=0)
                advert.update(emptier)
                assert await seen(browser, emptier) == Changed(found.key, emptier)
            assert await next_of(browser, mine) == Gone(found.key, emptier)
            assert found.key not in browser.tables

    run(main())


def test_who_comes_later_hears_of_tables_too() -> None:
    async def main() -> None:
        mine = table()
        async with (
            await advertise(mine),
            await browse() as browser,
        ):
            assert isinstance(await next_of(browser, mine), Found)

    run(main())


def test_changes_back_and_forth_end_with_the_last_one() -> None:
    """Zeroconf's cache still holds the first record then, and would not tell of its return."""

    async def main() -> None:
        mine = table()
        async with (
            await browse() as browser,
            await advertise(mine) as advert,
        ):
            await seen(browser, mine)
            for taken in (2, 1, 2, 1):
                advert.update(replace(mine, taken=taken))
                await seen(browser, replace(mine, taken=taken))

    run(main())


def test_many_changes_at_once_are_one() -> None:
    async def main() -> None:
        mine = table()
        async with (
            await browse() as browser,
            await advertise(mine) as advert,
        ):
            await seen(browser, mine)
            for port in range(1, 1001):
                advert.update(replace(mine, port=port))
            last = replace(mine, port=1000)
            await seen(browser, last)
            assert advert.table.update <= 3
            advert.update(last)

    run(main())


def test_saying_the_same_again_says_nothing() -> None:
    async def main() -> None:
        mine = table()
        async with await advertise(mine) as advert:
            for same in (mine, advert.table, replace(mine, addresses=(), update=9)):
                advert.update(same)
                assert not advert._dirty.is_set()

    run(main())


def test_a_reader_that_is_slow_gets_the_end_of_the_story() -> None:
    async def main() -> None:
        mine = table()
        async with await browse() as browser:
            async with await advertise(mine) as advert:
                key = f"{advert.name}.{SERVICE}"
                await until(lambda: key in browser.tables)
                advert.update(replace(mine, taken=4))
                await until(lambda: browser.tables[key].taken == 4)
                assert (await next_of(browser, mine)).advert.taken == 4
            await until(lambda: key not in browser.tables)
            assert isinstance(await next_of(browser, mine), Gone)
            assert not browser._heard._dirty.keys() & {key}
            assert key not in browser._heard._reported

    run(main())


def test_what_came_and_went_unseen_is_not_told() -> None:
    async def main() -> None:
        first, second = table(), table()
        async with await browse() as browser:
            async with await advertise(first) as advert:
                key = f"{advert.name}.{SERVICE}"
                await until(lambda: key in browser.tables)
            await until(lambda: key not in browser.tables)
            async with await advertise(second):
                async for change in browser:
                    assert change.advert.id != first.id
                    if change.advert.id == second.id:
                        break

    run(main())


HOST_PROGRAM = """
import asyncio, sys
from lanuno.net import advert
from tests.net.test_discovery import table
from dataclasses import replace
from typing import Any

advert.TTL = int(sys.argv[2])

async def main():
    mine = replace(table(), id=bytes.fromhex(sys.argv[1]))
    async with await advert.advertise(mine, adapter="lo", service=sys.argv[3]):
        print("ready", flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@asynccontextmanager
async def host_program(of: TableAdvert, ttl: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """Another process that advertises a table until it is interrupted or killed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-c", HOST_PROGRAM, of.id.hex(), str(ttl), SERVICE),
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
        # asyncio closes the pipe's transport a tick after the process has ended.
        await until(process._transport.is_closing)  # type: ignore[attr-defined]


def test_ctrl_c_withdraws_the_table() -> None:
    async def main() -> None:
        mine = table()
        async with await browse() as browser, host_program(mine, 60) as process:
            found = await next_of(browser, mine)
            process.send_signal(signal.SIGINT)
            assert await next_of(browser, mine) == Gone(found.key, found.advert)

    run(main())


def test_a_host_that_was_killed_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browse_module, "RECHECK", 0.2)
    monkeypatch.setattr(browse_module, "ANSWER", 0.5)

    async def main() -> None:
        mine = table()
        async with await browse() as browser, host_program(mine, 2) as process:
            found = await next_of(browser, mine)
            process.kill()
            assert await next_of(browser, mine) == Gone(found.key, found.advert)
            # It may come back under the same name.
            dns.say(service(found.key.split(".")[0].encode(), raw_text(mine)))
            assert isinstance(await next_of(browser, mine), Found)

    run(main())


# Names.


def test_names_are_unique() -> None:
    mine = table()
    names = {instance_name(mine.id) for _ in range(100)}
    assert len(names) == 100
    assert all(name.startswith(mine.id.hex()[:16]) and len(name) <= 63 for name in names)


def test_a_name_that_is_taken_is_not_used() -> None:
    async def main() -> None:
        first, second = table(), table()
        taken = secrets.token_hex(8)
        names = iter([taken, taken, f"{taken}-other"])
        async with (
            await browse() as browser,
            await advertise(first, new_name=lambda _: taken),
            await advertise(second, new_name=lambda _: next(names)) as other,
        ):
            assert other.name == f"{taken}-other"
            keys = {(await next_of(browser, first)).key, (await next_of(browser, second)).key}
            assert keys == {f"{taken}.{SERVICE}", f"{taken}-other.{SERVICE}"}

    run(main())


def test_a_stranger_that_claims_every_name_does_not_stop_us() -> None:
    async def main() -> None:
        first, second = table(), table()
        taken = secrets.token_hex(8)
        async with (
            await advertise(first, new_name=lambda _: taken),
            await advertise(second, new_name=lambda _: taken) as other,
        ):
            assert other.name == taken

    run(main())


# Strangers.


GARBAGE = [
    b"",
    b"\x00",
    b"\x05abc",
    b"\x09not=valid",
    b"\xff" * 900,
    b"\x01=" * 40,
    b"\x0bname=\xe2\x80\xaeevil",
]


def test_garbage_is_ignored_and_does_no_harm() -> None:
    async def main() -> None:
        mine = table()
        async with stranger() as zeroconf, await browse() as browser:
            infos = [foreign(text) for text in GARBAGE if text]
            infos += [foreign(raw_text(mine).replace(b"taken=1", b"taken=9"))]
            for info in infos:
                await (await zeroconf.async_register_service(info, cooperating_responders=True))
            async with await advertise(mine):
                await seen(browser, mine)
                await until(lambda: all(info.name in browser._names for info in infos))
                assert not {info.name for info in infos} & browser.tables.keys()

    run(main())


def test_a_table_that_turns_to_garbage_is_gone() -> None:
    async def main() -> None:
        mine = table()
        async with stranger() as zeroconf, await browse() as browser:
            info = foreign(raw_text(mine))
            await (await zeroconf.async_register_service(info, cooperating_responders=True))
            assert isinstance(await next_of(browser, mine), Found)
            changed = ServiceInfo(
                SERVICE,
                info.name,
                port=1,
                properties=b"\x01x",
                server=info.server,
                parsed_addresses=["127.0.0.1"],
            )
            await (await zeroconf.async_update_service(changed))
            assert isinstance(await next_of(browser, mine), Gone)

    run(main())


def test_an_older_answer_that_comes_late_is_ignored() -> None:
    async def main() -> None:
        mine, other = table(), table()
        name = secrets.token_hex(8).encode()
        async with await browse() as browser:
            dns.say(service(name, raw_text(replace(mine, taken=3, update=5))))
            found = await next_of(browser, mine)
            dns.say(
                service(name, raw_text(replace(mine, taken=2, update=4))),
                service(secrets.token_hex(8).encode(), raw_text(other)),
            )
            assert isinstance(await next_of(browser, other), Found)
            assert browser.tables[found.key].taken == 3

    run(main())


def test_packets_made_to_hurt() -> None:
    async def main() -> None:
        mine = table()
        good = raw_text(mine)
        ptr = pointer()
        name = dns.labels([b"x", *kind()])
        packets = [
            b"",
            b"\x00" * 12,
            bytes(9000),
            dns.response(dns.record(ptr, dns.PTR, b"\xc0\x0c")),
            dns.response(dns.record(ptr, dns.PTR, b"\xc0\xff")),
            dns.response(dns.record(ptr, dns.PTR, b"\x3f" + b"a" * 10)),
            dns.response(dns.record(ptr, dns.PTR, dns.dotted(b"evil._http._tcp.local"))),
            dns.response(dns.record(ptr, dns.PTR, dns.dotted(b"local"))),
            dns.response(dns.record(ptr, dns.PTR, b"\x00")),
            dns.response(dns.record(ptr, dns.PTR, ptr)),
            dns.response(dns.record(ptr, dns.PTR, dns.labels([b"_lanuno"] * 20))),
            dns.response(dns.record(ptr, dns.PTR, dns.labels([b"\xff\xfe", *kind()]))),
            dns.response(dns.record(ptr, dns.PTR, dns.labels([b"a.b.c", *kind()]))),
            dns.response(dns.record(ptr, dns.PTR, dns.labels([b"\x00\x1b[31m", *kind()]))),
            dns.response(dns.record(name, dns.TXT, good)),
            dns.response(dns.record(name, dns.SRV, b"\x00")),
            dns.response(dns.record(name, dns.A, b"\x7f")),
            dns.response(
                dns.record(ptr, dns.PTR, name), dns.record(name, dns.SRV, bytes(6) + b"\x00")
            ),
            service(b"no-port", good, port=0),
            service(b"\x07bell\x1b", good),
        ]
        async with await browse() as browser:
            dns.say(*packets)
            dns.say(service(mine.id.hex().encode(), good))
            await until(lambda: f"{mine.id.hex()}.{SERVICE}" in browser.tables)

    run(main())


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=200), max_size=20), st.binary(max_size=60))
def test_any_packets(packets: list[bytes], instance: bytes) -> None:
    async def main() -> None:
        mine = table()
        text = raw_text(mine)
        wrapped = [dns.response(packet) for packet in packets]
        records = [dns.response(dns.record(pointer(), 12, each)) for each in packets]
        async with await browse() as browser:
            dns.say(*packets, *wrapped, *records, service(instance or b"x", text))
            dns.say(service(mine.id.hex().encode(), text))
            await until(lambda: f"{mine.id.hex()}.{SERVICE}" in browser.tables)

    run(main())


def test_a_flood_of_tables_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browse_module, "MAX_NAMES", 20)
    monkeypatch.setattr(browse_module, "MAX_TABLES", 5)
    monkeypatch.setattr(browse_module, "MAX_QUESTIONS", 3)

    async def main() -> None:
        mine = table()
        text = raw_text(mine)
        async with await browse() as browser:
            lonely = [
                dns.response(
                    dns.record(
                        pointer(),
                        dns.PTR,
                        dns.labels([b"lonely-%d" % each, *kind()]),
                    )
                )
                for each in range(10)
            ]
            dns.say(*lonely)
            await until(lambda: len(browser._names) >= 10)
            assert len(browser._questions) <= 3
            dns.say(*(service(b"flood-%d" % each, text) for each in range(100)))
            await until(lambda: len(browser.tables) == 5)
            await until(lambda: len(browser._names) == 20)
            assert len(browser._heard._dirty) <= 5

    run(main())


# Ends and failures.


def test_closing_ends_the_iteration() -> None:
    async def main() -> None:
        browser = await browse()

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
        mine = table()
        advert = await advertise(mine)
        await asyncio.gather(advert.withdraw(), advert.withdraw())
        advert.update(replace(mine, taken=2))

    run(main())


@pytest.mark.parametrize("change", [{"name": ""}, {"taken": 9}, {"fp": "no"}])
def test_what_nobody_would_accept_is_not_advertised(change: dict[str, object]) -> None:
    async def main() -> None:
        mine = table()
        bad = replace(mine, **change)  # type: ignore[arg-type]
        with pytest.raises(NetError) as caught:
            await advertise(bad)
        assert caught.value.fault is Fault.PROTOCOL
        async with await advertise(mine) as advert:
            with pytest.raises(NetError) as caught:
                advert.update(bad)
            assert caught.value.fault is Fault.PROTOCOL

    run(main())


def test_no_such_adapter() -> None:
    async def main() -> None:
        for attempt in (browse(adapter="no-such"), advertise(table(), adapter="no-such")):
            with pytest.raises(NetError) as caught:
                await attempt
            assert caught.value.fault is Fault.ADAPTER

    run(main())


def test_multicast_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> AsyncZeroconf:
        raise OSError("no")

    async def main() -> None:
        monkeypatch.setattr(multicast_module, "AsyncZeroconf", broken)
        with pytest.raises(NetError) as caught:
            await browse()
        assert caught.value.fault is Fault.MULTICAST

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
        monkeypatch.setattr(multicast_module, "AsyncZeroconf", half)
        odd = Adapter("odd", 1, ("127.0.0.1",), ("fe80::1",))
        monkeypatch.setattr(Adapter, "loopback", False)
        async with await browse(scan=lambda: [odd]):
            assert tried == [["127.0.0.1", "fe80::1"], ["127.0.0.1"]]

    run(main())


def test_adapters_come_and_go() -> None:
    one = Adapter("lo", 1, ("127.0.0.1",), ())
    two = Adapter("lo", 1, ("127.0.0.1", "127.0.0.2"), ())
    now: list[Adapter | None] = [one]

    def scan() -> list[Adapter]:
        if now[0] is None:
            raise NetError(Fault.ADAPTER)
        return [now[0]]

    async def main() -> None:
        mine = table()
        async with (
            await browse() as browser,
            await advertise(mine, scan=scan) as advert,
        ):
            only = replace(mine, addresses=("127.0.0.1",))
            await seen(browser, only)
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
        async with await browse():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                sock.bind(("", 5353))

    run(main())
