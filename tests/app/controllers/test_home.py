"""Tests of the first page: what it says of each table found, and what can be done there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.home import KEY_LETTERS, MOST_BOTS
from lanuno.app.models.room_rows import FoundTable
from lanuno.client.find import DiscoveredTable, DiscoveredTables
from lanuno.client.requests import HostRequest
from lanuno.client.resume import Interrupted, ResumableTables
from lanuno.log.format.genesis import VERSION
from lanuno.net.discovery.advert import TableState
from lanuno.net.errors import NetFault
from lanuno.rules.presets import PRESETS
from lanuno.store.known_people import KnownName, KnownPeople
from lanuno.store.recovery import UnfinishedTable
from tests.app.announcements import plain
from tests.harness.log_table.log_table import make_roster

pytestmark = pytest.mark.usefixtures("english")

KITCHEN = DiscoveredTable(
    key="kitchen",
    id=b"k" * 16,
    fingerprint="0123456789abcdef" * 4,
    addresses=("192.0.2.20",),
    port=47474,
    name="Kitchen",
    host="Ana",
    preset="classic",
    seats=4,
    taken=3,
    version=VERSION,
    answered=True,
)
"""An open table with a free seat, whose host has answered."""


def find(app: Application, *tables: DiscoveredTable, **values: Any) -> tuple[FoundTable, ...]:
    """Let the search have found these tables, and return the rows that are shown."""
    home = app.home_controller
    home._found = DiscoveredTables(tables, **values)
    home._show_tables()
    return home._tables.rows


async def endless() -> None:
    """Stand in for a search on the network, which ends when it is cancelled."""
    await asyncio.Event().wait()


def interrupt(app: Application, name: str = "Sunday", written: float = 0.0) -> Interrupted:
    """Let the player have an interrupted table."""
    table = UnfinishedTable(b"t" * 32, Path("kept.lanuno"), ("Ana", "Ben"), written, make_roster())
    interrupted = Interrupted(table, name)
    app.home_controller._interrupted_tables._receive(ResumableTables((interrupted,), ()))
    return interrupted


@pytest.mark.parametrize(
    ("values", "text", "joinable", "can_watch"),
    [
        ({}, "1 seat is free", True, True),
        ({"taken": 1}, "3 seats are free", True, True),
        ({"taken": 4}, "All seats are taken", False, True),
        ({"state": TableState.PLAYING}, "A match of 3 players is being played", False, True),
        ({"state": TableState.OVER}, "The match is over", False, False),
        ({"answered": False}, "Asking its host…", False, False),
        ({"name": "", "version": 0}, "Found at the last address of this host", True, True),
    ],
)
def test_each_state_of_a_table_has_a_text(
    app: Application, values: dict[str, Any], text: str, joinable: bool, can_watch: bool
) -> None:
    (row,) = find(app, replace(KITCHEN, **values))
    assert row.text == text
    assert (row.joinable, row.can_watch, row.trouble) == (joinable, can_watch, False)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"version": VERSION + 1}, "another version of LanUNO"),
        ({"answered": False, "fault": NetFault.VERSION}, "another version of LanUNO"),
        ({"answered": False, "fault": NetFault.TIMEOUT, "port": 4711}, "blocking port 4711"),
    ],
)
def test_a_table_that_cannot_be_joined_says_why(
    app: Application, values: dict[str, Any], says: str
) -> None:
    (row,) = find(app, replace(KITCHEN, **values))
    assert says in row.text
    assert (row.joinable, row.can_watch, row.trouble) == (False, False, True)


def test_a_row_is_read_aloud_with_name_rules_state_and_pin(app: Application) -> None:
    (row,) = find(app, replace(KITCHEN, pin=True, house=0b1, changed=2))
    assert plain(row.accessible_name) == (
        "Kitchen, Classic + 1 house rule, 2 changed settings, 1 seat is free, with a PIN"
    )
    assert row.locked
    # The preset, the house rule, and the number of settings that the advert cannot name.
    assert len(row.rules) == 3
    (row,) = find(app, KITCHEN)
    assert (row.rules_title, row.rules) == ("Classic", ())


def test_a_host_without_a_table_name_is_named(app: Application) -> None:
    (row,) = find(app, replace(KITCHEN, name="", preset=""))
    assert (plain(row.name), row.rules_title) == ("A table of Ana", "")


def test_tables_of_one_name_show_the_beginning_of_their_keys(app: Application) -> None:
    other = replace(KITCHEN, key="other", fingerprint="f" * 64)
    third = replace(KITCHEN, key="third", name="Cellar")
    first, second, alone = find(app, KITCHEN, other, third)
    assert plain(first.text).endswith(f" · {KITCHEN.fingerprint[:KEY_LETTERS]}")
    assert plain(second.text).endswith(" · " + "f" * KEY_LETTERS)
    assert "·" not in alone.text


def test_tables_that_look_alike_show_the_beginning_of_their_keys(app: Application) -> None:
    fake = replace(KITCHEN, key="fake", name="K\u0456tchen", fingerprint="f" * 64)
    first, second = find(app, KITCHEN, fake)
    assert plain(first.text).endswith(KITCHEN.fingerprint[:KEY_LETTERS])
    assert plain(second.text).endswith("f" * KEY_LETTERS)
    assert (first.warning, second.warning) == ("", "")


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"name": "K\u0456tchen"}, "This may not be the table Kitchen you have played at"),
        ({"name": "Garden", "host": "An\u0430"}, "This may not be the Ana you have played with"),
        ({"name": "", "host": "Ana"}, "This may not be the Ana you have played with"),
        ({"name": "Garden", "host": "Bea"}, ""),
        ({"fingerprint": KITCHEN.fingerprint}, ""),
    ],
)
def test_a_table_that_only_looks_like_a_known_one_says_so(
    app: Application, values: dict[str, Any], says: str
) -> None:
    key = KITCHEN.fingerprint
    app.known_people.receive(KnownPeople((KnownName("Ana", key),), (KnownName("Kitchen", key),)))
    unknown: dict[str, Any] = {"key": "false", "fingerprint": "f" * 64, "pin": True}
    false = replace(KITCHEN, **(unknown | values))
    (row,) = find(app, false)
    assert plain(row.warning).startswith(says)
    assert bool(row.warning) is bool(says)
    assert plain(row.accessible_name).endswith(plain(row.warning))
    assert plain(row.text).endswith("f" * KEY_LETTERS) is bool(says)
    # The PIN is asked for with the same warning.
    app.home_controller.join(false.key, "")
    assert app.home_controller.property("pinWanted") == false.key
    assert app.home_controller.property("pinWarning") == row.warning


def test_an_announced_name_counts_only_if_it_is_the_only_one(app: Application) -> None:
    home = app.home_controller
    silent = replace(KITCHEN, key="silent", answered=False)
    find(app, silent, KITCHEN, replace(KITCHEN, key="nameless", name=""))
    assert home.announced(KITCHEN.id, KITCHEN.fingerprint) == KITCHEN
    assert home.announced(KITCHEN.id, "f" * 64) is None
    assert home.announced(b"x" * 16, KITCHEN.fingerprint) is None
    assert home.announced(None, None) is None
    find(app, KITCHEN, replace(silent, name="Cellar"))
    assert home.announced(KITCHEN.id, KITCHEN.fingerprint) is None


def test_a_table_that_ended_here_is_not_offered_at_its_last_address(app: Application) -> None:
    nameless = replace(KITCHEN, name="")
    assert len(find(app, nameless)) == 1
    app.session_controller.ended_tables.add(KITCHEN.id)
    assert find(app, nameless) == ()
    assert len(find(app, KITCHEN)) == 1


def test_an_interrupted_table_is_listed_once(app: Application) -> None:
    """While it is shown above, the list of found tables leaves it out."""
    mine = interrupt(app)
    found = replace(KITCHEN, id=mine.id, state=TableState.PLAYING)
    rows = app.home_controller._interrupted_tables.rows.rows
    assert plain(rows[0].text).startswith("With Ana and Ben, last played ")
    assert find(app, found) == ()
    (above,) = app.home_controller._interrupted_tables.rows.rows
    assert (above.name, above.text) == ("Sunday", "It is being played now: continue playing")
    find(app, replace(found, state=TableState.OVER))
    (above,) = app.home_controller._interrupted_tables.rows.rows
    assert above.text == "It ended without you: see how"
    find(app, found)
    # A forgotten table can still be continued while it is played.
    app.home_controller.forget(mine.id.hex())
    assert app.home_controller._interrupted_tables.rows.rows == ()
    (row,) = app.home_controller._tables.rows
    assert (row.mine, row.joinable, row.can_watch) == (True, True, False)
    assert row.text == "You have a seat at this table: continue playing"


def test_a_table_that_has_just_been_closed_is_reported(app: Application) -> None:
    find(app, KITCHEN)
    find(app)
    app.home_controller.join(KITCHEN.key, "")
    assert app.session_controller.session is None
    (notice,) = app._notices.rows
    assert (notice.kind, notice.text) == ("error", "This table has just been closed.")


def test_a_pin_is_asked_for_before_any_connection(app: Application) -> None:
    find(app, replace(KITCHEN, pin=True))
    home = app.home_controller
    for pin in ("", "  "):
        home.join(KITCHEN.key, pin)
        assert (home.property("pinWanted"), home.property("joining")) == (KITCHEN.key, False)
        assert home.property("joiningName") == "Kitchen"
        assert app.session_controller.session is None
    home.cancelJoin()
    assert home.property("pinWanted") == ""


def test_an_error_of_a_visit_disappears_with_its_page(app: Application) -> None:
    find(app, replace(KITCHEN, pin=True))
    home = app.home_controller
    home.join(KITCHEN.key, "")
    assert home.property("pinWanted") == KITCHEN.key
    app.open("rules")
    app.back()
    assert home.property("pinWanted") == ""


def test_an_empty_search_names_possible_causes_after_a_while(app: Application) -> None:
    home = app.home_controller
    assert (home.property("searching"), home.property("status")) == (False, "")
    search = home._discovery = app.bridge.run(endless())
    find(app, listening=True)
    assert home.property("searching")
    assert home.property("status") == "Looking for tables on this network…"
    home._nothing_found()
    assert home.property("status").startswith("No table can be seen now.")
    assert "adapter" not in home.property("status")
    find(app, KITCHEN)
    assert home.property("status") == ""
    find(app, fault=NetFault.MULTICAST)
    assert (home.property("searching"), home.property("status")) == (False, "")
    assert "cannot use multicast" in home.property("blocked")
    find(app, listening=True, multicast_fault=NetFault.MULTICAST_PORT)
    assert (home.property("searching"), home.property("status")) == (True, "")
    assert "UDP port 5353" in home.property("blocked")
    home._discovery = None
    search.cancel()


@pytest.mark.parametrize(
    ("wanted", "bots"), [(-1, 1), (0, 1), (3, 3), (MOST_BOTS, MOST_BOTS), (50, MOST_BOTS)]
)
def test_practice_has_one_to_nine_bots_and_no_clock(
    app: Application, monkeypatch: pytest.MonkeyPatch, wanted: int, bots: int
) -> None:
    begun: list[Any] = []
    monkeypatch.setattr(
        app.session_controller, "start_session", lambda make, _options: begun.append(make)
    )
    app.home_controller.practise(wanted)
    request = begun[0].args[1]
    assert isinstance(request, HostRequest)
    assert (request.bots, request.seats, request.practice) == (bots, bots + 1, True)
    assert request.ruleset.turn_clock_s == 0
    assert request.ruleset.preset == PRESETS["classic"].preset
