"""The desktop notifications for a player who looks at another window.

These tests check the calls to the desktop, not what a desktop shows.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCall
from PySide6.QtGui import QGuiApplication

from lanuno.app.alerts import INTERFACE, PATH, PortalDesktop, hide_message, show_message
from lanuno.app.controllers.application import Application
from lanuno.app.running import Running
from tests.app.waiting import settle, until


class Wall:
    """A desktop that only records the calls."""

    def __init__(self) -> None:
        self.happened: list[tuple[str, ...]] = []

    def show(self, tag: str, title: str, text: str) -> None:
        self.happened.append(("show", tag, title, text))

    def hide(self, tag: str) -> None:
        self.happened.append(("hide", tag))


@pytest.fixture
def wall(running: Running) -> Wall:
    wall = Wall()
    running.app.alerts._desktop = wall
    until(running.window.isExposed)
    return wall


def test_a_turn_is_told_where_the_window_is_not_in_front(
    running: Running, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    flashes: list[int] = []
    monkeypatch.setattr(running.app, "window", running.window)
    monkeypatch.setattr(type(running.window), "alert", lambda _self, ms: flashes.append(ms))
    monkeypatch.setattr(type(running.window), "isActive", lambda _self: False)
    turn = running.app.table_controller.my_turn_began
    turn.emit()
    assert wall.happened == [("show", "turn", "LanUNO", "It is your turn.")]
    running.app.settings_controller.change("notifications", False)
    turn.emit()
    assert (len(wall.happened), flashes) == (1, [0, 0])
    running.app.alerts.application_state_changed(Qt.ApplicationState.ApplicationInactive)
    running.app.alerts.application_state_changed(Qt.ApplicationState.ApplicationActive)
    running.app.alerts.application_state_changed(Qt.ApplicationState.ApplicationActive)
    assert wall.happened[1:] == [("hide", "turn")]
    running.app.settings_controller.change("notifications", True)
    monkeypatch.setattr(type(running.window), "isActive", lambda _self: True)
    turn.emit()
    assert len(wall.happened) == 2


def test_the_call_to_the_portal() -> None:
    message = show_message("turn", "LanUNO", "It is your turn.")
    assert (message.service(), message.path()) == (
        "org.freedesktop.portal.Desktop",
        "/org/freedesktop/portal/desktop",
    )
    assert message.interface() == "org.freedesktop.portal.Notification"
    assert message.member() == "AddNotification"
    assert message.arguments() == [
        "turn",
        {
            "title": "LanUNO",
            "body": "It is your turn.",
            "priority": "high",
            "default-action": "show",
        },
    ]
    gone = hide_message("turn")
    assert (gone.member(), gone.arguments()) == ("RemoveNotification", ["turn"])


def test_a_click_on_it_brings_the_window_to_the_front(app: Application) -> None:
    raised: list[bool] = []
    app.raised.connect(lambda: raised.append(True))
    desktop = app.alerts._desktop
    assert isinstance(desktop, PortalDesktop)
    signal = QDBusMessage.createSignal(PATH, INTERFACE, "ActionInvoked")
    for action in ("show", "other"):
        signal.setArguments(["turn", action, []])
        desktop.clicked(signal)
    assert raised == [True]


def test_without_a_portal_a_command_shows_it(
    qt: QGuiApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    def start(program: str, arguments: list[str]) -> bool:
        started.append([program, *arguments])
        return True

    class Deaf(PortalDesktop):
        asked = 0

        def send(self, message: QDBusMessage) -> QDBusPendingCall:
            self.asked += 1
            return lost.asyncCall(message, 10)

    lost = QDBusConnection("of nobody")
    bus = SimpleNamespace(isConnected=lambda: True, connect=lost.connect)
    monkeypatch.setattr(QDBusConnection, "sessionBus", lambda: bus)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    desktop = Deaf(None, start)
    desktop.show("turn", "LanUNO", "It is your turn.")
    until(lambda: started)
    desktop.show("turn", "LanUNO", "Again.")
    desktop.hide("turn")
    assert desktop.asked == 1
    assert [each[0] for each in started] == ["/bin/notify-send"] * 2
    assert started[1][-2:] == ["LanUNO", "Again."]
    monkeypatch.setattr("shutil.which", lambda name: None)
    desktop.show("turn", "LanUNO", "Nobody hears this.")
    assert len(started) == 2
    settle()
