"""Tests of problems with tables: each is caused for real, and each shows its text."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import structs

from lanuno.app.controllers.application import Application
from lanuno.client import find as discovery
from lanuno.log.format.genesis import VERSION
from lanuno.net.discovery import prober
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.mdns_announce import advertise
from lanuno.net.errors import NetError, NetFault
from lanuno.store.paths import Home
from lanuno.table.lobby import peer
from tests.app.network import AppFactory, follow_link, open_table, table_row, wait_for_table
from tests.app.slot_player import SlotPlayer
from tests.app.waiting import until
from tests.harness.homes.small_disk import small_disk


def advert(name: str, port: int, version: int = VERSION) -> TableAdvert:
    return TableAdvert(
        id=secrets.token_bytes(16),
        name=name,
        host="Dora",
        fp="a" * 32,
        preset="classic",
        seats=4,
        taken=1,
        state=TableState.OPEN,
        pin=False,
        version=version,
        addresses=("127.0.0.1",),
        port=port,
    )


@contextmanager
def announced(app: Application, table: TableAdvert) -> Iterator[None]:
    """Announce a table that does not exist, for the duration of the context."""
    over = asyncio.Event()

    async def announce() -> None:
        shown = await advertise(table, adapter="lo")
        try:
            await over.wait()
        finally:
            await shown.withdraw()

    job = app.bridge.run(announce())
    try:
        yield
    finally:
        app.bridge._loop.submit(_set(over)).result(5)
        until(job.future.done)


async def _set(event: asyncio.Event) -> None:
    event.set()


def test_a_host_behind_a_firewall(
    app_of: AppFactory, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prober, "PROBE_SECONDS", 0.3)
    ben = app_of("Ben")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with announced(ben, advert(table_name, port)):
            ben.start()
            until(lambda: (seen := table_row(ben, table_name)) is not None and seen.trouble)
            seen = table_row(ben, table_name)
    assert seen is not None
    assert seen.text == (
        "The computer of this table does not answer: it may be busy or switched off, or"
        f" a firewall may be blocking port {port}."
    )
    assert not seen.joinable
    assert not seen.can_watch


def test_a_host_with_another_version(app_of: AppFactory, table_name: str) -> None:
    ben = app_of("Ben")
    with announced(ben, advert(table_name, 9, VERSION + 1)):
        ben.start()
        until(lambda: table_row(ben, table_name))
        seen = table_row(ben, table_name)
    assert seen is not None
    assert seen.text.startswith("The other computer has another version of LanUNO.")
    assert not seen.joinable


def test_a_host_that_finds_our_version_different(
    app_of: AppFactory, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name)
    ben.start()
    seen = wait_for_table(ben, table_name)
    monkeypatch.setattr(peer, "VERSION", VERSION + 1)
    ben.home_controller.join(seen.id, "")
    until(lambda: ben.home_controller.property("joinError"))
    assert ben.home_controller.property("joinError") == (
        "The host has another version of LanUNO. Update both, then try again."
    )
    until(lambda: ben.session_controller.session is None)


def test_a_port_that_is_taken(app_of: AppFactory, table_name: str) -> None:
    ana = app_of("Ana")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = ana.settings_controller
        settings.values = structs.replace(settings.values, port=taken.getsockname()[1])
        host = ana.host_controller
        host.setProperty("tableName", table_name)
        ana.open("host")
        host.begin()
        assert host.property("busy")
        until(lambda: not host.property("busy"))
    assert ana.property("page") == "host"
    (notice,) = ana._notices.rows
    assert notice.kind == "error"
    assert notice.text.startswith("No port is free for a table.")


def test_an_adapter_that_is_gone(app_of: AppFactory) -> None:
    ben = app_of("Ben")
    ben.settings_controller.change("adapter", "nowhere0")
    ben.start()
    until(lambda: ben.home_controller.property("blocked"))
    assert ben.home_controller.property("blocked").startswith("This network cannot be used.")
    assert not ben.home_controller.property("searching")
    ben.settings_controller.change("adapter", "lo")
    until(
        lambda: (
            ben.home_controller.property("searching")
            and not ben.home_controller.property("blocked")
        )
    )
    # The list may contain tables of other tests.
    ben.home_controller._found = discovery.DiscoveredTables(listening=True)
    assert ben.home_controller.property("status") == "Looking for tables on this network…"
    ben.home_controller._nothing_found()
    assert ben.home_controller.property("status").startswith("No table can be seen now.")
    assert ben.home_controller.property("status").endswith(
        "Only the adapter \u2068lo\u2069 is searched: see Settings."
    )


@pytest.mark.logs_warnings
def test_a_disk_that_fills_up(make_app: Callable[[Home], Application], tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 400) as disk:
        app = make_app(Home.at(disk.folder))
        app.settings_controller.change("language", "en")
        app.home_controller.practise(1)
        until(lambda: app.table_controller.property("phase") == "playing")
        player = SlotPlayer(app)
        with disk.filled():
            until(lambda: (player.play(), app.session_controller.session is None)[1])
        notices = [each.text for each in app._notices.rows]
        if disk.real:
            assert any(text.startswith("The disk is full: there is no room") for text in notices)
        assert app.property("page") == "home"
        app.start()
        until(lambda: app.home_controller._interrupted_tables.rows.rowCount() == 1)
        (left,) = app.home_controller._interrupted_tables.rows.rows
        app.home_controller.goOn(left.id)
        until(lambda: app.table_controller.property("phase") == "playing")
        app.session_controller.leave()
        until(lambda: app.session_controller.session is None)


def test_where_nothing_is_heard_known_hosts_are_asked(
    app_of: AppFactory, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name)
    follow_link(ben, ana.room_controller.property("link"))
    until(lambda: ben.property("page") == "room")
    (place,) = ben.app_state.state.places
    assert place.name == "Ana"
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.session_controller.session is None)

    async def deaf(**_how: object) -> None:
        raise NetError(NetFault.MULTICAST)

    monkeypatch.setattr(discovery, "listen_for_tables", deaf)
    ben.start()
    until(lambda: ben.home_controller._tables.rowCount() == 1)
    (seen,) = ben.home_controller._tables.rows
    assert seen.name == "A table of \u2068Ana\u2069"
    assert seen.text == "Found at the last address of this host"
    assert ben.home_controller.property("blocked").startswith(
        "This computer cannot use multicast to announce or find tables."
    )
    ben.home_controller.join(seen.id, "")
    until(lambda: ben.property("page") == "room")
    assert ben.room_controller.property("tableName") == table_name
