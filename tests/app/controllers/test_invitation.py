"""Tests of links from outside: nothing is sent before the user has answered the question.

The tables at the other end are real listeners on loopback that record every connection.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.invitation import ANSWER_DELAY_MS
from lanuno.app.problem_texts import net_problem
from lanuno.bots.pace import BotPace
from lanuno.net.discovery.table_link import TableLink
from lanuno.net.errors import NetFault
from tests.app.network import follow_link, shows_page
from tests.app.waiting import settle, until

ADDRESS = "127.44.0.9"
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


def come_to_rest(app: Application) -> None:
    """Let both threads finish all work that does not wait for a packet."""
    for _ in range(5):
        turn = app.bridge.run(_nothing())
        until(turn.future.done)
        settle()


async def _nothing() -> None:
    pass


def test_no_connection_is_made_before_the_question_is_answered(
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


def test_no_connection_is_made_if_the_answer_is_no(
    app: Application, listener: FakeListener
) -> None:
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


def test_a_second_link_is_dropped_while_the_first_is_asked_about(
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
        *("a\u202egpj.exe:47474", "\x1b[2J:47474", "аna.example:47474", "x\u200by:47474"),
    ],
)
def test_a_false_link_is_refused_without_showing_it(app: Application, link: str) -> None:
    app.run_command(["join", link])
    assert not app.invitation_controller.property("asking")
    (row,) = app._notices.rows
    assert row.kind == "error"
    # No part of the link is shown.
    assert row.text == net_problem(NetFault.LINK)
    assert app.join_controller.property("text") == ""


def test_at_a_table_a_link_is_not_even_asked_about(
    app: Application, listener: FakeListener
) -> None:
    app.session_controller.bot_pace = BotPace(move=60.0, uno=0.0)
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
    app.session_controller.bot_pace = BotPace(move=60.0, uno=0.0)
    app.home_controller.practise(1)
    assert not app.invitation_controller.property("asking")
    app.invitation_controller.accept()
    assert app.join_controller.property("text") == ""
    until(lambda: shows_page(app, "table"))
    app.session_controller.leave()
    until(lambda: app.session_controller.session is None)
