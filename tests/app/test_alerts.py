"""What reaches a player who looks elsewhere: the calls to the desktop, and the sounds.

Whether a desktop shows or plays them cannot be seen here; that they are asked to, can.
"""

from __future__ import annotations

import sys
import tomllib
import wave
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCall
from PySide6.QtGui import QGuiApplication

from lanuno.app import sounds
from lanuno.app.alerts import INTERFACE, PATH, PortalDesktop, hide_message, show_message
from lanuno.app.controllers.application import Application
from lanuno.app.running import Running
from lanuno.app.sounds import NAMES, Sounds, load_effect
from lanuno.store.resources import resource
from tests.app.waiting import settle, until

ROOT = Path(__file__).resolve().parents[2]


class Wall:
    """A desktop that only remembers."""

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
    turn = running.app.table_screen.my_turn_began
    turn.emit()
    assert wall.happened == [("show", "turn", "LanUNO", "It is your turn.")]
    running.app.preferences.put("notifications", False)
    turn.emit()
    assert (len(wall.happened), flashes) == (1, [0, 0])
    running.app.alerts.seen(Qt.ApplicationState.ApplicationInactive)
    running.app.alerts.seen(Qt.ApplicationState.ApplicationActive)
    running.app.alerts.seen(Qt.ApplicationState.ApplicationActive)
    assert wall.happened[1:] == [("hide", "turn")]
    running.app.preferences.put("notifications", True)
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


def test_a_click_on_it_brings_the_window_to_the_front(desk: Application) -> None:
    raised: list[bool] = []
    desk.raised.connect(lambda: raised.append(True))
    desktop = desk.alerts._desktop
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


# ---- sounds ---------------------------------------------------------------------------------


class Bell:
    """Something that is played and only counted."""

    def __init__(self, rung: list[str], name: str) -> None:
        self._rung, self._name = rung, name

    def play(self) -> None:
        self._rung.append(self._name)


@pytest.fixture
def rung() -> list[str]:
    return []


@pytest.fixture
def bells(rung: list[str]) -> Callable[[QUrl, QObject], Bell]:
    return lambda url, _owner: Bell(rung, url.fileName())


def test_the_table_is_heard_until_sounds_are_turned_off(
    desk: Application, bells: Callable[[QUrl, QObject], Bell], rung: list[str]
) -> None:
    desk.sounds._load = bells
    table = desk.table_screen
    table.moved.emit("play", 0, -2, [])
    table.moved.emit("turn", 0, 0, [])
    table.my_turn_began.emit()
    assert rung == ["card.wav", "turn.wav"]
    desk.preferences.setProperty("sound", False)
    table.moved.emit("play", 0, -2, [])
    assert len(rung) == 2
    desk.preferences.setProperty("sound", True)
    for left, mine in ((20, True), (9.9, False), (9.9, True), (9.7, True), (0, True), (8, True)):
        desk.sounds.clock(left, mine)
    assert rung[2:] == ["clock.wav"] * 2


def test_without_the_extra_nothing_is_heard_and_nothing_breaks(
    qt: QGuiApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[QUrl] = []

    def nothing(file: QUrl, _owner: QObject) -> None:
        asked.append(file)

    silent = Sounds(lambda: True, nothing)
    silent.moved("play")
    silent.moved("draw")
    silent.turn()
    assert len(asked) == 1
    monkeypatch.setitem(sys.modules, "PySide6.QtMultimedia", None)
    assert load_effect(QUrl(), silent) is None
    monkeypatch.setattr(sounds, "find_spec", lambda _name: None)
    assert sounds.what_is_missing() == ""


def test_settings_say_why_there_is_silence(
    desk: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.preferences.put("language", "en")
    monkeypatch.setattr(sounds, "find_spec", lambda _name: None)
    assert "lanuno[sound]" in desk.preferences.property("silence")
    assert not desk.preferences.property("soundHere")
    monkeypatch.setattr(sounds, "find_spec", lambda _name: object())
    monkeypatch.setitem(sys.modules, "PySide6.QtMultimedia", None)
    assert "PySide6.QtMultimedia" in desk.preferences.property("silence")
    monkeypatch.setitem(sys.modules, "PySide6.QtMultimedia", sounds)
    assert desk.preferences.property("silence") == ""
    assert desk.preferences.property("soundHere")


def test_every_sound_is_there_and_short() -> None:
    for name in NAMES:
        with wave.open(str(resource("sounds", f"{name}.wav"))) as file:
            assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
            assert 0.03 < file.getnframes() / file.getframerate() < 1


def test_the_extra_has_the_range_of_qt_itself() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (wanted,) = project["optional-dependencies"]["sound"]
    essentials = next(each for each in project["dependencies"] if "Essentials" in each)
    assert wanted == essentials.replace("Essentials", "Addons")
