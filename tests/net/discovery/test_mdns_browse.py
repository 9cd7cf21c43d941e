"""Tables appear, change and vanish, over real multicast DNS on loopback."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace

import pytest

from lanuno.net.discovery import mdns_browse
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.dedupe import table_key
from lanuno.net.discovery.mdns_browse import MAX_TABLES, TableList
from tests.harness.sockets import dns
from tests.harness.sockets.adverts import TABLE
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


def another(address: str) -> TableAdvert:
    """Return a new table announced by the computer at this address."""
    return replace(TABLE, id=secrets.token_bytes(16), addresses=(address,))


def full(address: Callable[[int], str]) -> TableList:
    """Return a list with `MAX_TABLES` tables, so without room for another."""
    heard = TableList()
    for number in range(MAX_TABLES):
        heard.put(f"fake {number}", another(address(number)))
    assert len(heard.tables) == MAX_TABLES
    return heard


def test_a_computer_with_many_tables_displaces_only_its_own() -> None:
    heard = full(lambda _: "10.0.0.66")
    for number in range(10):
        heard.put(f"real {number}", another(f"10.0.0.{number}"))
    heard.put("one fake more", another("10.0.0.66"))
    assert len(heard.tables) == MAX_TABLES
    assert "one fake more" not in heard.tables
    assert {f"real {number}" for number in range(10)} <= heard.tables.keys()
    # The computer's oldest tables are kept.
    assert {f"fake {number}" for number in range(MAX_TABLES - 10)} <= heard.tables.keys()


def test_tables_whose_host_answered_are_dropped_last() -> None:
    heard = full(lambda _: "10.0.0.66")
    last = heard.tables[f"fake {MAX_TABLES - 1}"]
    heard.host_probed(table_key(last), answered=True)
    heard.put("real", another("10.0.0.1"))
    assert {"real", f"fake {MAX_TABLES - 1}"} <= heard.tables.keys()
    assert f"fake {MAX_TABLES - 2}" not in heard.tables
    # But other computers still get places, because the crowded one has clearly more tables.
    for each in tuple(heard.tables.values()):
        heard.host_probed(table_key(each), answered=True)
    heard.put("second", another("10.0.0.2"))
    assert {"real", "second"} <= heard.tables.keys()


def test_tables_whose_host_does_not_answer_make_room() -> None:
    heard = full(lambda number: f"10.0.1.{number}")
    heard.put("real", another("10.0.0.1"))
    assert "real" not in heard.tables
    for number in (7, 3):
        heard.host_probed(table_key(heard.tables[f"fake {number}"]), answered=False)
    heard.put("real", another("10.0.0.1"))
    assert "real" in heard.tables
    assert "fake 3" not in heard.tables
    assert "fake 7" in heard.tables
    # No state is kept for a table that is gone, nor for an unknown one.
    heard.host_probed("nothing", answered=False)
    heard.drop("fake 7")
    assert heard._host_reached == {}
