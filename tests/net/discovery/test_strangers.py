"""Garbage, malicious packets and floods of strangers about tables do no harm.

Over real multicast DNS on loopback.
"""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zeroconf import ServiceInfo

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.net.discovery import mdns_browse, table_list
from lanuno.net.discovery.mdns_browse import Browser
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.connect import connect, probe
from tests.harness.sockets import dns
from tests.harness.sockets.changes import TableFound, TableGone
from tests.harness.sockets.running import GUEST, HOST, LOBBY, run, serving, until
from tests.net import mdns

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
        mine = mdns.table()
        async with mdns.stranger() as zeroconf, await mdns.browse() as browser:
            infos = [mdns.foreign(text) for text in GARBAGE if text]
            infos += [mdns.foreign(mdns.raw_text(mine).replace(b"taken=1", b"taken=9"))]
            for info in infos:
                await (await zeroconf.async_register_service(info, cooperating_responders=True))
            async with await mdns.advertise(mine):
                await mdns.seen(browser, mine)
                await until(lambda: all(info.name in browser._names for info in infos))
                assert not {info.name for info in infos} & browser.tables.keys()

    run(main())


def test_a_table_that_turns_to_garbage_is_gone() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with mdns.stranger() as zeroconf, await mdns.browse() as browser:
            info = mdns.foreign(mdns.raw_text(mine))
            await (await zeroconf.async_register_service(info, cooperating_responders=True))
            assert isinstance(await mdns.next_of(browser, mine), TableFound)
            changed = ServiceInfo(
                mdns.SERVICE,
                info.name,
                port=1,
                properties=b"\x01x",
                server=info.server,
                parsed_addresses=["127.0.0.1"],
            )
            await (await zeroconf.async_update_service(changed))
            assert isinstance(await mdns.next_of(browser, mine), TableGone)

    run(main())


def test_an_older_answer_that_comes_late_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_list, "LATE_ANSWER_SECONDS", 3600.0)

    async def main() -> None:
        mine, other = mdns.table(), mdns.table()
        name = secrets.token_hex(8).encode()
        async with await mdns.browse() as browser:
            dns.say(mdns.service(name, mdns.raw_text(replace(mine, taken=3, update=5))))
            found = await mdns.next_of(browser, mine)
            dns.say(
                mdns.service(name, mdns.raw_text(replace(mine, taken=2, update=4))),
                mdns.service(secrets.token_hex(8).encode(), mdns.raw_text(other)),
            )
            assert isinstance(await mdns.next_of(browser, other), TableFound)
            assert browser.tables[found.key].taken == 3

    run(main())


def test_packets_made_to_hurt() -> None:
    async def main() -> None:
        mine = mdns.table()
        good = mdns.raw_text(mine)
        ptr = mdns.pointer()
        name = dns.labels([b"x", *mdns.kind()])
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
            dns.response(dns.record(ptr, dns.PTR, dns.labels([b"\xff\xfe", *mdns.kind()]))),
            dns.response(dns.record(ptr, dns.PTR, dns.labels([b"a.b.c", *mdns.kind()]))),
            dns.response(dns.record(ptr, dns.PTR, dns.labels([b"\x00\x1b[31m", *mdns.kind()]))),
            dns.response(dns.record(name, dns.TXT, good)),
            dns.response(dns.record(name, dns.SRV, b"\x00")),
            dns.response(dns.record(name, dns.A, b"\x7f")),
            dns.response(
                dns.record(ptr, dns.PTR, name), dns.record(name, dns.SRV, bytes(6) + b"\x00")
            ),
            mdns.service(b"no-port", good, port=0),
            mdns.service(b"\x07bell\x1b", good),
        ]
        async with await mdns.browse() as browser:
            dns.say(*packets)
            dns.say(mdns.service(mine.id.hex().encode(), good))
            await until(lambda: f"{mine.id.hex()}.{mdns.SERVICE}" in browser.tables)

    run(main())


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=200), max_size=20), st.binary(max_size=60))
def test_any_packets(packets: list[bytes], instance: bytes) -> None:
    async def main() -> None:
        mine = mdns.table()
        text = mdns.raw_text(mine)
        wrapped = [dns.response(packet) for packet in packets]
        records = [dns.response(dns.record(mdns.pointer(), 12, each)) for each in packets]
        async with await mdns.browse() as browser:
            dns.say(*packets, *wrapped, *records, mdns.service(instance or b"x", text))
            dns.say(mdns.service(mine.id.hex().encode(), text))
            await until(lambda: f"{mine.id.hex()}.{mdns.SERVICE}" in browser.tables)

    run(main())


def test_a_flood_of_tables_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdns_browse, "MAX_NAMES", 20)
    monkeypatch.setattr(table_list, "MAX_TABLES", 5)
    monkeypatch.setattr(mdns_browse, "MAX_QUESTIONS", 3)

    async def main() -> None:
        mine = mdns.table()
        text = mdns.raw_text(mine)
        async with await mdns.browse() as browser:
            lonely = [
                dns.response(
                    dns.record(
                        mdns.pointer(),
                        dns.PTR,
                        dns.labels([b"lonely-%d" % each, *mdns.kind()]),
                    )
                )
                for each in range(10)
            ]
            dns.say(*lonely)
            await until(lambda: len(browser._names) >= 10)
            assert len(browser._questions) <= 3
            dns.say(*(mdns.service(b"flood-%d" % each, text) for each in range(100)))
            await until(lambda: len(browser.tables) == 5)
            await until(lambda: len(browser._names) == 20)

    run(main())


def test_garbage_names_do_not_hide_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meaningless names make room for a table. In a full list, it appears once another goes."""
    monkeypatch.setattr(mdns_browse, "MAX_NAMES", 5)
    monkeypatch.setattr(mdns_browse, "RECHECK_SECONDS", 0.1)

    async def main() -> None:
        mine, other = mdns.table(), mdns.table()
        async with await mdns.browse() as browser:
            garbage = [mdns.service(b"noise-%d" % each, b"\x01x") for each in range(20)]
            dns.say(*garbage, mdns.service(b"mine", mdns.raw_text(mine)))
            assert isinstance(await mdns.next_of(browser, mine), TableFound)
            floods = [replace(mdns.table(), host=f"H{each}") for each in range(4)]
            for each in floods:
                dns.say(mdns.service(each.id.hex()[:9].encode(), mdns.raw_text(each)))
                assert isinstance(await mdns.next_of(browser, each), TableFound)
            dns.say(mdns.service(b"other", mdns.raw_text(other)))
            await until(lambda: f"other.{mdns.SERVICE}" in known(browser))
            assert f"other.{mdns.SERVICE}" not in browser._names
            gone = dns.labels([floods[0].id.hex()[:9].encode(), *mdns.kind()])
            dns.say(dns.response(dns.record(mdns.pointer(), dns.PTR, gone, ttl=0)))
            assert isinstance(await mdns.next_of(browser, other), TableFound)

    run(main())


def known(browser: Browser) -> set[str]:
    """Return the service names in zeroconf's cache."""
    cache = browser._multicast.zeroconf.zeroconf.cache
    return {each.alias for each in cache.entries_with_name(mdns.SERVICE) if hasattr(each, "alias")}


def test_a_spoofed_goodbye_hides_a_table_only_until_it_speaks_again() -> None:
    """Anybody on the network can forge it. Players are unaffected, and the host can be reached."""

    async def main() -> None:
        async with serving() as (server, _), await mdns.browse() as browser:
            mine = replace(mdns.table(), id=LOBBY, fp=fingerprint(HOST.public), port=server.port)
            async with await mdns.advertise(mine) as advert:
                found = await mdns.next_of(browser, mine)
                name = dns.dotted(found.key.removesuffix(".").encode())
                goodbye = dns.response(dns.record(mdns.pointer(), dns.PTR, name, ttl=0))

                def hidden() -> bool:
                    """Repeat the goodbye if the table has just repeated its advert."""
                    if found.key in browser.tables:
                        dns.say(goodbye)
                    return found.key not in browser.tables

                await until(hidden)
                met = await probe(["127.0.0.1"], server.port, fingerprint=mine.fp, context=mine.id)
                assert met.host.identity == HOST.public
                advert.update(replace(mine, taken=2))
                # The table may have repeated its previous state, too.
                await mdns.seen(browser, replace(mine, taken=2))
                assert browser.tables[found.key].taken == 2

    run(main())


def test_a_spoofed_update_leads_to_nobody_who_is_believed() -> None:
    """The forged advert directs players of a table to the stranger's address."""

    async def main() -> None:
        stranger = Identity.from_seed(b"e" * 32)
        async with (
            serving() as (server, _),
            serving(identity=stranger) as (trap, arrived),
            await mdns.browse() as browser,
        ):
            mine = replace(mdns.table(), id=LOBBY, fp=fingerprint(HOST.public), port=server.port)
            async with await mdns.advertise(mine):
                found = await mdns.next_of(browser, mine)
                label = found.key.split(".")[0].encode()
                false = replace(mine, name="False", update=999)
                dns.say(mdns.service(label, mdns.raw_text(false), trap.port))
                tables = browser.tables
                await until(lambda: any(each.port == trap.port for each in tables.values()))
                said = tables[found.key]
                with pytest.raises(NetError) as caught:
                    await connect(said.addresses, said.port, GUEST, fingerprint=said.fp)
                assert caught.value.fault is NetFault.IDENTITY
                assert arrived.empty()

    run(main())


def test_a_forged_change_number_does_not_silence_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The forged change number is higher than any that the table itself will reach."""
    heard, mine = table_list.TableList(), mdns.table()
    heard.put("key", replace(mine, taken=2, update=999_999_999))
    heard.put("key", replace(mine, taken=3, update=7))
    assert heard.tables["key"].taken == 2
    monkeypatch.setattr(table_list, "LATE_ANSWER_SECONDS", 0.0)
    heard.put("key", replace(mine, taken=3, update=7))
    assert heard.tables["key"].taken == 3
    heard.drop("key")
    heard.put("key", replace(mine, update=1))
    assert heard.tables["key"].taken == mine.taken
