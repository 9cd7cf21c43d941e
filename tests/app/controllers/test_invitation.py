"""Tests of links from outside and of PINs: nothing is sent before consent, or to another table.

The tables at the other end are real listeners on loopback that note every connection and message.
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

from lanuno.app.bridge import BridgeJob
from lanuno.app.controllers.application import Application
from lanuno.app.controllers.invitation import ANSWER_DELAY_MS
from lanuno.app.loop import LoopThread
from lanuno.app.pins import MOST_PINS, Pins
from lanuno.app.running import Running
from lanuno.bots.pace import BotPace
from lanuno.client.find import DiscoveredTables
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.net.discovery.table_link import TableLink, parse_link
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.listener import Listener, listen
from lanuno.store.app_state import KnownPlace
from lanuno.table import messages
from lanuno.table.messages import Join, LobbyRefusal, Watch
from tests.app.network import AppFactory, follow_link, open_table, shows_page, wait_for_table
from tests.app.pictures.scenes_entry import see, sighting
from tests.app.waiting import settle, until

ADDRESS = "127.44.0.9"
ELSEWHERE = "127.44.0.10"
LINK = "lanuno://203.0.113.7:47474/00112233445566778899aabbccddeeff#" + "a" * 32


class FakeListener:
    """Accepts every connection at its address, and records whether it was allowed at that time."""

    def __init__(self) -> None:
        self._socket = socket.create_server((ADDRESS, 0))
        self.allowed = False
        self.dials: list[bool] = []
        self.link = str(TableLink(ADDRESS, self._socket.getsockname()[1], bytes(16), "a" * 32))
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = self._socket.accept()
                self.dials.append(self.allowed)
                line.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[FakeListener]:
    made = FakeListener()
    yield made
    made.close()


class RecordingHost:
    """A host that records requests to join or watch, and refuses all of them for a wrong PIN."""

    def __init__(self, loop: LoopThread, address: str, context: bytes | None = None) -> None:
        self._loop = loop
        self._identity = Identity.from_seed(secrets.token_bytes(32))
        self.said: list[Join | Watch] = []
        self.refuses = True
        self.context = secrets.token_bytes(16) if context is None else context
        work = listen(self._identity, self.context, self._serve, hosts=(address,), port=0)
        self.server: Listener = loop.submit(work).result()
        self.address, self.port = address, self.server.port
        self.fingerprint = fingerprint(self._identity.public)
        self.link = str(TableLink(address, self.port, self.context, self.fingerprint))

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
def recording_host(loop: LoopThread) -> Iterator[RecordingHost]:
    made = RecordingHost(loop, ELSEWHERE)
    yield made
    made.close()


def come_to_rest(app: Application) -> None:
    """Let both threads finish all work that does not wait for a packet."""
    for _ in range(5):
        turn = app.bridge.run(_nothing())
        until(partial(_over, turn))
        settle()


async def _nothing() -> None:
    pass


def _over(turn: BridgeJob[None]) -> bool:
    return not turn.running


# ---- the question before a link is followed -----------------------------------------------------


def test_nobody_is_dialled_before_the_question_is_answered(
    app: Application, listener: FakeListener
) -> None:
    page = app.property("page")
    app.run_command(["join", listener.link])
    until(lambda: app.invitation_controller.property("ready"))
    come_to_rest(app)
    assert app.invitation_controller.property("asking")
    assert app.session_controller.session is None
    assert (listener.dials, app.property("page")) == ([], page)
    listener.allowed = True
    app.invitation_controller.accept()
    assert shows_page(app, "join")
    until(lambda: listener.dials)
    assert all(listener.dials)
    app.join_controller.cancel()
    until(lambda: app.session_controller.session is None)


def test_nobody_is_dialled_if_the_answer_is_no(app: Application, listener: FakeListener) -> None:
    app.run_command(["join", listener.link])
    until(lambda: app.invitation_controller.property("ready"))
    app.invitation_controller.decline()
    assert not app.invitation_controller.property("asking")
    come_to_rest(app)
    # A later confirmation has no effect, because the question is closed.
    app.invitation_controller.accept()
    come_to_rest(app)
    assert listener.dials == []
    assert (app.join_controller.property("text"), app.property("page")) == ("", "home")


def test_no_name_is_resolved_before_the_question_is_answered(
    app: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lookup would tell the operator of the link's name server that and where it was clicked."""
    asked: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **_: asked.append(args))
    app.run_command(["join", LINK.replace("203.0.113.7", "a.tracker.example")])
    until(lambda: app.invitation_controller.property("ready"))
    come_to_rest(app)
    assert asked == []
    assert "a.tracker.example" in app.invitation_controller.property("address")
    assert app.invitation_controller.property("near").startswith("This is a name, not an address")
    assert app.invitation_controller.property("mood") == "danger"
    app.invitation_controller.decline()


def test_no_answer_counts_before_the_question_can_have_been_read(app: Application) -> None:
    assert ANSWER_DELAY_MS >= 500
    app.invitation_controller._ready_timer.setInterval(10**6)
    app.run_command(["join", LINK])
    assert app.invitation_controller.property("asking")
    app.invitation_controller.accept()
    app.invitation_controller.decline()
    assert app.invitation_controller.property("asking")
    assert app.session_controller.session is None
    app.invitation_controller._ready_timer.setInterval(0)
    # The waiting time starts again when the window comes to the front, perhaps by a click.
    app.invitation_controller.application_state_changed(Qt.ApplicationState.ApplicationInactive)
    app.invitation_controller.application_state_changed(Qt.ApplicationState.ApplicationActive)
    until(lambda: app.invitation_controller.property("ready"))
    app.invitation_controller._ready_timer.setInterval(10**6)
    app.invitation_controller.application_state_changed(Qt.ApplicationState.ApplicationActive)
    assert not app.invitation_controller.property("ready")
    app.invitation_controller._withdraw()


def test_a_second_link_neither_piles_up_nor_takes_the_place_of_the_first(
    app: Application, listener: FakeListener
) -> None:
    app.run_command(["join", LINK])
    until(lambda: app.invitation_controller.property("ready"))
    for _ in range(50):
        app.run_command(["join", listener.link])
    assert "203.0.113.7" in app.invitation_controller.property("address")
    assert len(app._notices.rows) == 1
    assert app._notices.rows[0].text.startswith("Answer this question first")
    app.invitation_controller.decline()
    assert not app.invitation_controller.property("asking")
    come_to_rest(app)
    assert listener.dials == []


@pytest.mark.parametrize(
    "link",
    [
        *("", "lanuno://", "lanuno:x", "https://example.com", "a b:1", LINK + "?pin=1", LINK * 50),
        *("\u202egpj.exe:47474", "\x1b[2J:47474", "аna.example:47474", "x\u200by:47474"),
    ],
)
def test_what_is_no_link_or_only_looks_like_one_is_told(app: Application, link: str) -> None:
    app.run_command(["join", link])
    assert not app.invitation_controller.property("asking")
    (row,) = app._notices.rows
    assert row.kind == "error"
    # No part of the text is shown.
    assert link not in row.text or not link
    assert app.join_controller.property("text") == ""


def test_at_a_table_a_link_is_not_even_asked_about(
    app: Application, listener: FakeListener
) -> None:
    app.session_controller.pace = BotPace(move=60.0, uno=0.0)
    app.home_controller.practise(1)
    until(lambda: app.session_controller.session is not None and shows_page(app, "table"))
    app.run_command(["join", listener.link])
    assert not app.invitation_controller.property("asking")
    assert [row.text for row in app._notices.rows] == [
        "Leave this table first, then open the link again."
    ]
    app.back()
    app.confirmLeave()
    # From now on the app asks about the link, and follows it once the player has left the table.
    listener.allowed = True
    follow_link(app, listener.link)
    until(lambda: listener.dials)
    app.join_controller.cancel()
    until(lambda: app.session_controller.session is None)


def test_a_question_is_withdrawn_when_something_else_is_played(app: Application) -> None:
    app.run_command(["join", LINK])
    until(lambda: app.invitation_controller.property("ready"))
    app.session_controller.pace = BotPace(move=60.0, uno=0.0)
    app.home_controller.practise(1)
    assert not app.invitation_controller.property("asking")
    app.invitation_controller.accept()
    assert app.join_controller.property("text") == ""
    until(lambda: shows_page(app, "table"))
    app.session_controller.leave()
    until(lambda: app.session_controller.session is None)


# ---- the text of the question -------------------------------------------------------------------


def test_what_is_known_of_a_table_says_what_it_rests_on(running: Running) -> None:
    app = running.app
    app.settings_controller.change("language", "en")
    link = parse_link(LINK)
    app.invitation_controller.ask(LINK)
    assert app.invitation_controller.property("table") == "The name of this table is not known."
    assert (
        app.invitation_controller.property("host") == "You have not played with this host before."
    )
    app.app_state.remember_host(
        KnownPlace(host="192.0.2.1", port=1, fingerprint=link.fingerprint, name="Ana")
    )
    app.invitation_controller._withdraw()
    app.invitation_controller.ask(LINK)
    assert app.invitation_controller.property("host").startswith(
        "You have played with this host before; the name was \u2068Ana\u2069 then."
    )

    def heard(*names: str, of: str = link.fingerprint) -> None:
        tables = [
            replace(sighting(0), key=name, id=link.id, fingerprint=of, name=name) for name in names
        ]
        see(running, DiscoveredTables(tuple(tables), None, True))

    # A table of another host with the same id is ignored.
    heard("False", of="b" * 32)
    assert app.invitation_controller.property("table") == "The name of this table is not known."
    # Two names for one table are ignored, because at least one of them is false.
    heard("One", "Two")
    assert app.invitation_controller.property("table") == "The name of this table is not known."
    app.invitation_controller._ready_timer.setInterval(0)
    app.invitation_controller.application_state_changed(Qt.ApplicationState.ApplicationActive)
    until(lambda: app.invitation_controller.property("ready"))
    app.invitation_controller._ready_timer.setInterval(10**6)
    heard("Kitchen")
    assert app.invitation_controller.property("table") == (
        "\u2068Kitchen\u2069, as it is announced on this network. Nobody has checked this name."
    )
    # The new text must be read before an answer counts, and it does not change again.
    assert not app.invitation_controller.property("ready")
    heard("Cellar")
    assert "Kitchen" in app.invitation_controller.property("table")
    app.invitation_controller._withdraw()


def test_a_place_that_is_typed_is_shown_before_anybody_goes_there(app: Application) -> None:
    app.settings_controller.change("language", "en")
    app.join_controller.setProperty("text", "127.0.0.1:47474")
    where = app.join_controller.property("where")
    assert where["near"] == "This is the address of this computer."
    assert where["address"] == "\u2068127.0.0.1\u2069, port 47474"
    assert where["host"].startswith("The address does not say whose table it is")
    app.join_controller.setProperty("text", "8.8.8.8:47474")
    where = app.join_controller.property("where")
    assert (where["mood"], "on the internet" in where["near"]) == ("danger", True)
    # The end of a long name is shown, because it names the domain.
    app.join_controller.setProperty("text", "ana.local." * 20 + "example.com:47474")
    shown = app.join_controller.property("where")["address"]
    assert shown.startswith("\u2068…")
    assert shown.endswith(".example.com\u2069, port 47474")
    assert len(shown) < 100
    app.join_controller.setProperty("text", "\u202egpj:47474")
    assert app.join_controller.property("where")["address"].startswith(
        "\u2068an address that cannot be shown\u2069"
    )
    app.join_controller.setProperty("text", "")
    assert app.join_controller.property("where") == {}


# ---- PINs ---------------------------------------------------------------------------------------


def test_a_pin_goes_to_no_other_table(
    app_of: AppFactory, table_name: str, recording_host: RecordingHost
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, pin="4711")
    ben.join_controller.setProperty("text", ana.room_controller.property("link"))
    ben.join_controller.setProperty("pin", "4711")
    follow_link(ben, recording_host.link)
    until(lambda: ben.join_controller.property("error"))
    assert recording_host.pins == [""]
    until(lambda: ben.session_controller.session is None)
    # After the PIN was accepted at that table, it is not sent to another by link or address either.
    ben.join_controller.setProperty("text", ana.room_controller.property("link"))
    ben.join_controller.setProperty("pin", "4711")
    ben.join_controller.join()
    until(partial(shows_page, ben, "room"))
    assert (ben.join_controller.property("pin"), ben.join_controller.property("pinKnown")) == (
        "",
        True,
    )
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.session_controller.session is None)
    ben.open("join")
    for text in (recording_host.link, f"{recording_host.address}:{recording_host.port}"):
        ben.join_controller.setProperty("text", text)
        assert not ben.join_controller.property("pinKnown")
        ben.join_controller.join()
        until(lambda: ben.join_controller.property("error"))
        until(lambda: ben.session_controller.session is None)
    assert recording_host.pins == ["", "", ""]
    # The PIN still opens its own table, without being typed again.
    follow_link(ben, ana.room_controller.property("link"))
    until(partial(shows_page, ben, "room"))
    assert "4711" not in repr(ben.join_controller) + repr(vars(ben.home_controller._visiting))


def test_a_pin_for_an_address_is_for_the_table_that_asked_there(
    app: Application, loop: LoopThread
) -> None:
    """Another host may have taken over the address before the player types the PIN."""
    app.settings_controller.change("language", "en")
    first = RecordingHost(loop, ELSEWHERE)
    app.join_controller.setProperty("text", f"{first.address}:{first.port}")
    app.open("join")
    app.join_controller.join()
    until(lambda: app.join_controller.property("pinWanted"))
    until(lambda: app.session_controller.session is None)
    app.join_controller.setProperty("pin", "4711")
    app.join_controller.join()
    until(lambda: len(first.said) == 2)
    until(lambda: app.session_controller.session is None)
    assert first.pins == ["", "4711"]
    first.close()
    second = RecordingHost(loop, ELSEWHERE, first.context)
    try:
        # Pretend that the second host has the same port, too.
        place = app.join_controller._place
        assert place is not None
        app.join_controller._place = replace(place, port=second.port)
        app.join_controller.setProperty("pin", "4712")
        app.join_controller.join()
        until(
            lambda: (
                app.join_controller.property("error") and not app.join_controller.property("busy")
            )
        )
        until(lambda: app.session_controller.session is None)
        assert second.said == []
    finally:
        second.close()


def test_a_pin_in_the_list_is_for_the_table_that_asked(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, pin="1234")
    ben.start()
    seen = wait_for_table(ben, table_name)
    # The table has not asked for a PIN yet.
    ben.home_controller.join(seen.id, "1234")
    assert ben.home_controller.property("pinWanted") == seen.id
    assert ben.session_controller.session is None
    # Another table has asked in the meantime.
    ben.home_controller._visiting.asked_by = (bytes(16), "a" * 32)
    ben.home_controller.join(seen.id, "1234")
    assert ben.session_controller.session is None
    ben.home_controller.join(seen.id, " 1234 ")
    until(partial(shows_page, ben, "room"))
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.session_controller.session is None)
    # The PIN is remembered now, until the table refuses it.
    again = wait_for_table(ben, table_name)
    ben.home_controller.join(again.id, "")
    until(partial(shows_page, ben, "room"))
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.session_controller.session is None)
    (table,) = ben.home_controller._visiting.pins._known
    ben.home_controller._visiting.pins.remember(table, "0000")
    ben.home_controller.join(wait_for_table(ben, table_name).id, "")
    until(lambda: ben.home_controller.property("pinWanted"))
    assert ben.home_controller._visiting.pins.pin_of(table) == ""
    until(lambda: ben.session_controller.session is None)


def test_pins_are_few_forgotten_in_order_and_shown_to_nobody() -> None:
    pins = Pins()
    tables = [(bytes([number]) * 16, "a" * 32) for number in range(MOST_PINS + 2)]
    for number, table in enumerate(tables):
        pins.remember(table, f"pin{number}")
    assert [pins.pin_of(table) for table in tables[:3]] == ["", "", "pin2"]
    pins.remember(tables[2], "new")
    assert pins.pin_of(tables[2]) == "new"
    assert pins.pin_of((tables[2][0], "b" * 32)) == ""
    assert pins.pin_of(None) == ""
    assert "new" not in repr(pins)
    pins.forget(tables[2])
    pins.forget(tables[2])
    assert pins.pin_of(tables[2]) == ""
