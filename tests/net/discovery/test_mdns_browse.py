"""Tables appear, change and vanish, over real multicast DNS on loopback."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanuno.net.discovery import mdns_browse
from lanuno.net.discovery.advert import TableState
from tests.harness.sockets import dns
from tests.harness.sockets.changes import TableChanged, TableFound, TableGone
from tests.harness.sockets.running import run
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


def test_a_later_browser_finds_tables_announced_earlier() -> None:
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


def test_a_host_that_was_killed_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdns_browse, "RECHECK_SECONDS", 0.2)
    monkeypatch.setattr(mdns_browse, "RESOLVE_SECONDS", 0.5)

    async def main() -> None:
        mine = mdns.table()
        async with await mdns.browse() as browser, mdns.host_program(mine, 2) as process:
            found = await mdns.next_of(browser, mine)
            process.kill()
            assert await mdns.next_of(browser, mine) == TableGone(found.key, found.advert)
            # The table may return under the same name.
            dns.say(mdns.service(found.key.split(".")[0].encode(), mdns.raw_text(mine)))
            assert isinstance(await mdns.next_of(browser, mine), TableFound)

    run(main())


def test_a_browser_may_be_closed_twice() -> None:
    async def main() -> None:
        browser = await mdns.browse()
        await browser.close()
        await browser.close()

    run(main())
