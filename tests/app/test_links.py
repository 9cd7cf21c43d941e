"""Tests of links from outside and of PINs: nothing leaves before the person agrees, nor to another.

The tables at the other end are real doors on loopback that write down who dials, and what is said.
"""

from __future__ import annotations

import contextlib
import secrets
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt

from lanuno.app.bridge import Job
from lanuno.app.controllers.application import Application
from lanuno.app.controllers.invitation import READ_MS
from lanuno.app.loop import LoopThread
from lanuno.app.pins import MOST, Pins
from lanuno.app.running import Running
from lanuno.app.worker.discovery import Sightings
from lanuno.bots.pace import BotPace
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.net.channel import Channel
from lanuno.net.links import Link, parse_link
from lanuno.net.server import Server, listen
from lanuno.store.remembered import KnownPlace
from lanuno.table import messages
from lanuno.table.messages import Join, LobbyRefusal, Watch
from tests.app.network import Sit, followed, found, opened, shows
from tests.app.pictures.scenes_doors import see, sighting
from tests.app.waiting import settle, until

ADDRESS = "127.44.0.9"
ELSEWHERE = "127.44.0.10"
LINK = "lanuno://203.0.113.7:47474/00112233445566778899aabbccddeeff#" + "a" * 32


class Listener:
    """Takes every connection at its address, and notes whether it was allowed to come."""

    def __init__(self) -> None:
        self._door = socket.create_server((ADDRESS, 0))
        self.allowed = False
        self.dials: list[bool] = []
        self.link = str(Link(ADDRESS, self._door.getsockname()[1], bytes(16), "a" * 32))
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = self._door.accept()
                self.dials.append(self.allowed)
                line.close()

    def close(self) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._door.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


class Door:
    """A host that hears what somebody who wants to sit down says, and refuses for want of a PIN."""

    def __init__(self, loop: LoopThread, address: str, context: bytes | None = None) -> None:
        self._loop = loop
        self._identity = Identity.from_seed(secrets.token_bytes(32))
        self.said: list[Join | Watch] = []
        self.refuses = True
        self.context = secrets.token_bytes(16) if context is None else context
        work = listen(self._identity, self.context, self._serve, hosts=(address,), port=0)
        self.server: Server = loop.submit(work).result()
        self.address, self.port = address, self.server.port
        self.fingerprint = fingerprint(self._identity.public)
        self.link = str(Link(address, self.port, self.context, self.fingerprint))

    async def _serve(self, channel: Channel) -> None:
        async for data in channel:
            said = messages.from_peer(data)
            if isinstance(said, Join | Watch):
                self.said.append(said)
                refusal = messages.Refused(LobbyRefusal.WRONG_PIN)
                channel.send(messages.to_bytes(refusal))

    @property
    def pins(self) -> list[str]:
        return [each.pin for each in self.said]

    def close(self) -> None:
        self._loop.submit(self.server.close()).result()


@pytest.fixture
def loop() -> Iterator[LoopThread]:
    made = LoopThread()
    made.start()
    yield made
    made.close()


@pytest.fixture
def door(loop: LoopThread) -> Iterator[Door]:
    made = Door(loop, ELSEWHERE)
    yield made
    made.close()


def come_to_rest(app: Application) -> None:
    """Let everything that was begun on both threads go as far as it can without a packet."""
    for _ in range(5):
        turn = app.bridge.run(_nothing())
        until(partial(_over, turn))
        settle()


async def _nothing() -> None:
    pass


def _over(turn: Job[None]) -> bool:
    return not turn.running


# ---- what is asked ------------------------------------------------------------------------------


def test_nobody_is_dialled_before_the_question_is_answered(
    desk: Application, listener: Listener
) -> None:
    page = desk.property("page")
    desk.take(["join", listener.link])
    until(lambda: desk.asked.property("ready"))
    come_to_rest(desk)
    assert desk.asked.property("asking")
    assert desk.playing.sitting is None
    assert (listener.dials, desk.property("page")) == ([], page)
    listener.allowed = True
    desk.asked.accept()
    assert shows(desk, "join")
    until(lambda: listener.dials)
    assert all(listener.dials)
    desk.door.cancel()
    until(lambda: desk.playing.sitting is None)


def test_nobody_is_dialled_if_the_answer_is_no(desk: Application, listener: Listener) -> None:
    desk.take(["join", listener.link])
    until(lambda: desk.asked.property("ready"))
    desk.asked.decline()
    assert not desk.asked.property("asking")
    come_to_rest(desk)
    # Neither does what comes later change that: there is nothing left to agree to.
    desk.asked.accept()
    come_to_rest(desk)
    assert listener.dials == []
    assert (desk.door.property("text"), desk.property("page")) == ("", "home")


def test_no_name_is_resolved_before_the_question_is_answered(
    desk: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who runs the name server of a link would learn that it was clicked on, and where."""
    asked: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **_: asked.append(args))
    desk.take(["join", LINK.replace("203.0.113.7", "a.tracker.example")])
    until(lambda: desk.asked.property("ready"))
    come_to_rest(desk)
    assert asked == []
    assert "a.tracker.example" in desk.asked.property("address")
    assert desk.asked.property("near").startswith("This is a name, not an address")
    assert desk.asked.property("mood") == "danger"
    desk.asked.decline()


def test_no_answer_counts_before_the_question_can_have_been_read(desk: Application) -> None:
    assert READ_MS >= 500
    desk.asked._reading.setInterval(10**6)
    desk.take(["join", LINK])
    assert desk.asked.property("asking")
    desk.asked.accept()
    desk.asked.decline()
    assert desk.asked.property("asking")
    assert desk.playing.sitting is None
    desk.asked._reading.setInterval(0)
    # The click that brings the window to the front begins the time anew.
    desk.asked.seen(Qt.ApplicationState.ApplicationInactive)
    desk.asked.seen(Qt.ApplicationState.ApplicationActive)
    until(lambda: desk.asked.property("ready"))
    desk.asked._reading.setInterval(10**6)
    desk.asked.seen(Qt.ApplicationState.ApplicationActive)
    assert not desk.asked.property("ready")
    desk.asked._withdraw()


def test_a_second_link_neither_piles_up_nor_takes_the_place_of_the_first(
    desk: Application, listener: Listener
) -> None:
    desk.take(["join", LINK])
    until(lambda: desk.asked.property("ready"))
    for _ in range(50):
        desk.take(["join", listener.link])
    assert "203.0.113.7" in desk.asked.property("address")
    assert len(desk._notices.rows) == 1
    assert desk._notices.rows[0].text.startswith("Answer this question first")
    desk.asked.decline()
    assert not desk.asked.property("asking")
    come_to_rest(desk)
    assert listener.dials == []


@pytest.mark.parametrize(
    "link",
    [
        *("", "lanuno://", "lanuno:x", "https://example.com", "a b:1", LINK + "?pin=1", LINK * 50),
        *("\u202egpj.exe:47474", "\x1b[2J:47474", "аna.example:47474", "x\u200by:47474"),
    ],
)
def test_what_is_no_link_or_only_looks_like_one_is_told(desk: Application, link: str) -> None:
    desk.take(["join", link])
    assert not desk.asked.property("asking")
    (row,) = desk._notices.rows
    assert row.kind == "error"
    # Nothing of it is shown.
    assert link not in row.text or not link
    assert desk.door.property("text") == ""


def test_at_a_table_a_link_is_not_even_asked_about(desk: Application, listener: Listener) -> None:
    desk.playing.pace = BotPace(move=60.0, uno=0.0)
    desk.first.practise(1)
    until(lambda: desk.playing.sitting is not None and shows(desk, "table"))
    desk.take(["join", listener.link])
    assert not desk.asked.property("asking")
    assert [row.text for row in desk._notices.rows] == [
        "Leave this table first, then open the link again."
    ]
    desk.back()
    desk.confirmLeave()
    # From now on it is asked about, and followed once the table is left.
    listener.allowed = True
    followed(desk, listener.link)
    until(lambda: listener.dials)
    desk.door.cancel()
    until(lambda: desk.playing.sitting is None)


def test_a_question_is_withdrawn_when_something_else_is_played(desk: Application) -> None:
    desk.take(["join", LINK])
    until(lambda: desk.asked.property("ready"))
    desk.playing.pace = BotPace(move=60.0, uno=0.0)
    desk.first.practise(1)
    assert not desk.asked.property("asking")
    desk.asked.accept()
    assert desk.door.property("text") == ""
    until(lambda: shows(desk, "table"))
    desk.playing.leave()
    until(lambda: desk.playing.sitting is None)


# ---- what the question says ---------------------------------------------------------------------


def test_what_is_known_of_a_table_says_what_it_rests_on(running: Running) -> None:
    app = running.app
    app.preferences.put("language", "en")
    link = parse_link(LINK)
    app.asked.ask(LINK)
    assert app.asked.property("table") == "The name of this table is not known."
    assert app.asked.property("host") == "You have not played with this host before."
    app.memory.met(KnownPlace(host="192.0.2.1", port=1, fingerprint=link.fingerprint, name="Ana"))
    app.asked._withdraw()
    app.asked.ask(LINK)
    assert app.asked.property("host").startswith(
        "You have played with this host before; the name was \u2068Ana\u2069 then."
    )

    def heard(*names: str, of: str = link.fingerprint) -> None:
        tables = [
            replace(sighting(0), key=name, id=link.id, fingerprint=of, name=name) for name in names
        ]
        see(running, Sightings(tuple(tables), None, True))

    # Another host's table of the same id says nothing.
    heard("False", of="b" * 32)
    assert app.asked.property("table") == "The name of this table is not known."
    # Nor do two names for one table: one of them is a lie.
    heard("One", "Two")
    assert app.asked.property("table") == "The name of this table is not known."
    app.asked._reading.setInterval(0)
    app.asked.seen(Qt.ApplicationState.ApplicationActive)
    until(lambda: app.asked.property("ready"))
    app.asked._reading.setInterval(10**6)
    heard("Kitchen")
    assert app.asked.property("table") == (
        "\u2068Kitchen\u2069, as it is announced on this network. Nobody has checked this name."
    )
    # It is to be read before it is answered, and nothing changes it any more.
    assert not app.asked.property("ready")
    heard("Cellar")
    assert "Kitchen" in app.asked.property("table")
    app.asked._withdraw()


def test_a_place_that_is_typed_is_shown_before_anybody_goes_there(desk: Application) -> None:
    desk.preferences.put("language", "en")
    desk.door.setProperty("text", "127.0.0.1:47474")
    where = desk.door.property("where")
    assert where["near"] == "This is the address of this computer."
    assert where["address"] == "\u2068127.0.0.1\u2069, port 47474"
    assert where["host"].startswith("The address does not say whose table it is")
    desk.door.setProperty("text", "8.8.8.8:47474")
    where = desk.door.property("where")
    assert (where["mood"], "on the internet" in where["near"]) == ("danger", True)
    # Of a long name the end is shown, which says whose it is.
    desk.door.setProperty("text", "ana.local." * 20 + "example.com:47474")
    shown = desk.door.property("where")["address"]
    assert shown.startswith("\u2068…")
    assert shown.endswith(".example.com\u2069, port 47474")
    assert len(shown) < 100
    desk.door.setProperty("text", "\u202egpj:47474")
    assert desk.door.property("where")["address"].startswith(
        "\u2068an address that cannot be shown\u2069"
    )
    desk.door.setProperty("text", "")
    assert desk.door.property("where") == {}


# ---- PINs ---------------------------------------------------------------------------------------


def test_a_pin_goes_to_no_other_table(sit: Sit, table_name: str, door: Door) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, pin="4711")
    ben.door.setProperty("text", ana.room_screen.property("link"))
    ben.door.setProperty("pin", "4711")
    followed(ben, door.link)
    until(lambda: ben.door.property("error"))
    assert door.pins == [""]
    until(lambda: ben.playing.sitting is None)
    # Nor once it has opened that table, whichever way one comes to the next.
    ben.door.setProperty("text", ana.room_screen.property("link"))
    ben.door.setProperty("pin", "4711")
    ben.door.join()
    until(partial(shows, ben, "room"))
    assert (ben.door.property("pin"), ben.door.property("pinKnown")) == ("", True)
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.playing.sitting is None)
    ben.open("join")
    for text in (door.link, f"{door.address}:{door.port}"):
        ben.door.setProperty("text", text)
        assert not ben.door.property("pinKnown")
        ben.door.join()
        until(lambda: ben.door.property("error"))
        until(lambda: ben.playing.sitting is None)
    assert door.pins == ["", "", ""]
    # Its own table it still opens, without being typed again.
    followed(ben, ana.room_screen.property("link"))
    until(partial(shows, ben, "room"))
    assert "4711" not in repr(ben.door) + repr(vars(ben.first._visiting))


def test_a_pin_for_an_address_is_for_the_table_that_asked_there(
    desk: Application, loop: LoopThread
) -> None:
    """Somebody else may have the address by the time at which the PIN is typed."""
    desk.preferences.put("language", "en")
    first = Door(loop, ELSEWHERE)
    desk.door.setProperty("text", f"{first.address}:{first.port}")
    desk.open("join")
    desk.door.join()
    until(lambda: desk.door.property("pinWanted"))
    until(lambda: desk.playing.sitting is None)
    desk.door.setProperty("pin", "4711")
    desk.door.join()
    until(lambda: len(first.said) == 2)
    until(lambda: desk.playing.sitting is None)
    assert first.pins == ["", "4711"]
    first.close()
    second = Door(loop, ELSEWHERE, first.context)
    try:
        # As if it had the same port, too.
        place = desk.door._place
        assert place is not None
        desk.door._place = replace(place, port=second.port)
        desk.door.setProperty("pin", "4712")
        desk.door.join()
        until(lambda: desk.door.property("error") and not desk.door.property("busy"))
        until(lambda: desk.playing.sitting is None)
        assert second.said == []
    finally:
        second.close()


def test_a_pin_in_the_list_is_for_the_table_that_asked(sit: Sit, table_name: str) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, pin="1234")
    ben.start()
    seen = found(ben, table_name)
    # Nobody has asked for one.
    ben.first.join(seen.id, "1234")
    assert ben.first.property("pinWanted") == seen.id
    assert ben.playing.sitting is None
    # Another table is in its line by now.
    ben.first._visiting.asked_by = (bytes(16), "a" * 32)
    ben.first.join(seen.id, "1234")
    assert ben.playing.sitting is None
    ben.first.join(seen.id, " 1234 ")
    until(partial(shows, ben, "room"))
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.playing.sitting is None)
    # It is known now, for as long as it opens the table.
    again = found(ben, table_name)
    ben.first.join(again.id, "")
    until(partial(shows, ben, "room"))
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.playing.sitting is None)
    (table,) = ben.first._visiting.pins._known
    ben.first._visiting.pins.keep(table, "0000")
    ben.first.join(found(ben, table_name).id, "")
    until(lambda: ben.first.property("pinWanted"))
    assert ben.first._visiting.pins.of(table) == ""
    until(lambda: ben.playing.sitting is None)


def test_pins_are_few_forgotten_in_order_and_shown_to_nobody() -> None:
    pins = Pins()
    tables = [(bytes([number]) * 16, "a" * 32) for number in range(MOST + 2)]
    for number, table in enumerate(tables):
        pins.keep(table, f"pin{number}")
    assert [pins.of(table) for table in tables[:3]] == ["", "", "pin2"]
    pins.keep(tables[2], "new")
    assert pins.of(tables[2]) == "new"
    assert pins.of((tables[2][0], "b" * 32)) == ""
    assert pins.of(None) == ""
    assert "new" not in repr(pins)
    pins.forget(tables[2])
    pins.forget(tables[2])
    assert pins.of(tables[2]) == ""
