"""A table is announced, changed and withdrawn, over real multicast DNS on loopback."""

from __future__ import annotations

import asyncio
import secrets
import signal
from dataclasses import replace

import pytest

from lanuno.net.discovery import mdns_announce
from lanuno.net.discovery.mdns_announce import instance_name
from lanuno.net.errors import NetError, NetFault
from tests.harness.sockets.changes import TableGone
from tests.harness.sockets.running import run
from tests.harness.systems import needs_signals
from tests.net import mdns


def test_many_changes_at_once_are_sent_as_one() -> None:
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


def test_an_unchanged_advert_is_not_sent_again() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with await mdns.advertise(mine) as advert:
            for same in (mine, advert.table, replace(mine, addresses=(), update=9)):
                advert.update(same)
                assert not advert._dirty.is_set()

    run(main())


@needs_signals
def test_ctrl_c_withdraws_the_table() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with await mdns.browse() as browser, mdns.host_program(mine, 60) as process:
            found = await mdns.next_of(browser, mine)
            process.send_signal(signal.SIGINT)
            assert await mdns.next_of(browser, mine) == TableGone(found.key, found.advert)

    run(main())


def test_names_are_unique() -> None:
    mine = mdns.table()
    names = {instance_name(mine.id) for _ in range(100)}
    assert len(names) == 100
    assert all(name.startswith(mine.id.hex()[:16]) and len(name) <= 63 for name in names)


def test_a_name_that_is_taken_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        first, second = mdns.table(), mdns.table()
        taken = secrets.token_hex(8)
        names = iter([taken, taken, taken, f"{taken}-other"])
        monkeypatch.setattr(mdns_announce, "instance_name", lambda _: next(names))
        async with (
            await mdns.browse() as browser,
            await mdns.advertise(first),
            await mdns.advertise(second) as other,
        ):
            assert other.name == f"{taken}-other"
            keys = {
                (await mdns.next_of(browser, first)).key,
                (await mdns.next_of(browser, second)).key,
            }
            assert keys == {f"{taken}.{mdns.SERVICE}", f"{taken}-other.{mdns.SERVICE}"}

    run(main())


def test_a_stranger_that_claims_every_name_does_not_stop_us(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        first, second = mdns.table(), mdns.table()
        taken = secrets.token_hex(8)
        monkeypatch.setattr(mdns_announce, "instance_name", lambda _: taken)
        async with (
            await mdns.advertise(first),
            await mdns.advertise(second) as other,
        ):
            assert other.name == taken

    run(main())


def test_withdrawing_twice_and_updating_after() -> None:
    async def main() -> None:
        mine = mdns.table()
        async with await mdns.browse() as browser:
            advert = await mdns.advertise(mine)
            found = await mdns.seen(browser, mine)
            await asyncio.gather(advert.withdraw(), advert.withdraw())
            assert await mdns.next_of(browser, mine) == TableGone(found.key, mine)
            advert.update(replace(mine, taken=2))
            await asyncio.sleep(0)
            assert browser.tables == {}

    run(main())


@pytest.mark.parametrize("change", [{"name": ""}, {"taken": 9}, {"fp": "no"}])
def test_an_invalid_advert_is_not_announced(change: dict[str, object]) -> None:
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
