"""Tests of what can go wrong around a table, each brought about and each with its words."""

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
from lanuno.app.worker import discovery
from lanuno.app.worker.follower import Follower
from lanuno.log.genesis import VERSION
from lanuno.net import asking
from lanuno.net.advert import advertise
from lanuno.net.endings import CaughtUp
from lanuno.net.errors import Fault, NetError
from lanuno.net.txt import TableAdvert, TableState
from lanuno.store.paths import Home
from lanuno.table import lobby_peer
from lanuno.table.outputs import TableWaits
from tests.app.hands import Hands
from tests.app.network import Sit, followed, found, opened, row
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
    """A table of which only the advert is true."""
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
        until(lambda: not job.running)


async def _set(event: asyncio.Event) -> None:
    event.set()


def test_a_host_behind_a_firewall(
    sit: Sit, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "ANSWER", 0.3)
    ben = sit("Ben")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with announced(ben, advert(table_name, port)):
            ben.start()
            until(lambda: (seen := row(ben, table_name)) is not None and seen.trouble)
            seen = row(ben, table_name)
    assert seen is not None
    assert seen.text == (
        "This table was found, but its computer does not answer: a firewall may be blocking port"
        f" {port}."
    )
    assert not seen.joinable
    assert not seen.can_watch


def test_a_host_with_another_version(sit: Sit, table_name: str) -> None:
    ben = sit("Ben")
    with announced(ben, advert(table_name, 9, VERSION + 1)):
        ben.start()
        until(lambda: row(ben, table_name))
        seen = row(ben, table_name)
    assert seen is not None
    assert seen.text.startswith("The other computer has another version of LanUNO.")
    assert not seen.joinable


def test_a_host_that_finds_our_version_different(
    sit: Sit, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name)
    ben.start()
    seen = found(ben, table_name)
    monkeypatch.setattr(lobby_peer, "VERSION", VERSION + 1)
    ben.first.join(seen.id, "")
    until(lambda: ben.first.property("joinError"))
    assert ben.first.property("joinError") == (
        "The host has another version of LanUNO. Update both, then try again."
    )
    until(lambda: ben.playing.sitting is None)


def test_a_port_that_is_taken(sit: Sit, table_name: str) -> None:
    ana = sit("Ana")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = ana.preferences
        settings.kept = structs.replace(settings.kept, port=taken.getsockname()[1])
        host = ana.opener
        host.setProperty("tableName", table_name)
        ana.open("host")
        host.begin()
        assert host.property("busy")
        until(lambda: not host.property("busy"))
    assert ana.property("page") == "host"
    (notice,) = ana._notices.rows
    assert notice.kind == "error"
    assert notice.text.startswith("No port is free for a table.")


def test_an_adapter_that_is_gone(sit: Sit) -> None:
    ben = sit("Ben")
    ben.preferences.put("adapter", "nowhere0")
    ben.start()
    until(lambda: ben.first.property("blocked"))
    assert ben.first.property("blocked").startswith("This network cannot be used.")
    assert not ben.first.property("searching")
    ben.preferences.put("adapter", "lo")
    until(lambda: ben.first.property("searching") and not ben.first.property("blocked"))
    # Tables of other tests may be there.
    ben.first._seen = discovery.Sightings(listening=True)
    assert ben.first.property("status") == "Looking for tables on this network…"
    ben.first._long_quiet()
    assert ben.first.property("status").startswith("No table was found yet.")
    assert ben.first.property("status").endswith(
        "Only the adapter \u2068lo\u2069 is searched: see Settings."
    )


@pytest.mark.logs_warnings
def test_a_disk_that_fills_up(desks: Callable[[Home], Application], tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 400) as disk:
        app = desks(Home.at(disk.folder))
        app.preferences.put("language", "en")
        app.first.practise(1)
        until(lambda: app.table_screen.property("phase") == "playing")
        hands = Hands(app)
        with disk.filled():
            until(lambda: (hands.play(), app.playing.sitting is None)[1])
        notices = [each.text for each in app._notices.rows]
        if disk.real:
            assert any(text.startswith("The disk is full: there is no room") for text in notices)
        assert app.property("page") == "home"
        app.start()
        until(lambda: app.first._interruptions.rows.rowCount() == 1)
        (left,) = app.first._interruptions.rows.rows
        app.first.goOn(left.id)
        until(lambda: app.table_screen.property("phase") == "playing")
        app.playing.leave()
        until(lambda: app.playing.sitting is None)


def test_where_nothing_is_heard_known_hosts_are_asked(
    sit: Sit, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name)
    followed(ben, ana.room_screen.property("link"))
    until(lambda: ben.property("page") == "room")
    (place,) = ben.memory.kept.places
    assert place.name == "Ana"
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.playing.sitting is None)

    async def deaf(**_how: object) -> None:
        raise NetError(Fault.MULTICAST)

    monkeypatch.setattr(discovery, "look_out", deaf)
    ben.start()
    until(lambda: ben.first._tables.rowCount() == 1)
    (seen,) = ben.first._tables.rows
    assert seen.name == "A table of \u2068Ana\u2069"
    assert seen.text == "Found at the last address of this host"
    assert ben.first.property("blocked").startswith(
        "This computer cannot look for tables on its network: a firewall may be blocking multicast."
    )
    ben.first.join(seen.id, "")
    until(lambda: ben.property("page") == "room")
    assert ben.room_screen.property("tableName") == table_name


def test_whoever_is_back_waits_no_longer_for_the_host_whom_it_had_lost() -> None:
    """The host may never have noticed, and then tells nobody that somebody is back."""

    async def story() -> None:
        follower = Follower(lambda _told: None, lambda: None)
        follower(TableWaits((0,), 60.0))
        assert [seat for seat, _ in follower._facts.waits] == [0]
        follower(CaughtUp(0, 0))
        assert follower._facts.waits == ()

    asyncio.run(story())
