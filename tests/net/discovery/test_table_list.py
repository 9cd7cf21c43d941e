"""Tests of the bounded list of adverts."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace

from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.dedupe import table_key
from lanuno.net.discovery.table_list import MAX_TABLES, TableList
from tests.harness.sockets.adverts import TABLE


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
