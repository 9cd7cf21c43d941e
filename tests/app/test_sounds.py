"""Tests of the sounds: which are played, at which volume, and what the screens show of that.

No test opens a device. `test_sound_device.py` records a real sound server.
"""

from __future__ import annotations

import wave

import pytest
from PySide6.QtCore import Qt
from PySide6.QtQuick import QQuickItem, QQuickWindow

from lanuno.app.controllers.application import Application
from lanuno.app.running import Running
from lanuno.app.sound_player import QUIET
from lanuno.app.sounds import SOUND_NAMES
from lanuno.store.resources import resource
from tests.app.pictures import scenes_table as scenes
from tests.app.user_input import find, press
from tests.app.waiting import until


class Listener:
    """A sound output that only records the calls."""

    def __init__(self) -> None:
        self.played: list[tuple[str, float]] = []

    def play(self, name: str, volume: float) -> None:
        self.played.append((name, volume))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.played]


# ---- which sounds are played ----------------------------------------------------------------


def test_the_table_is_heard_until_sounds_are_turned_off(app: Application) -> None:
    heard = Listener()
    app.sounds.output = heard
    table = app.table_controller
    table.moved.emit("play", 0, -2, [])
    table.moved.emit("turn", 0, 0, [])
    table.my_turn_began.emit()
    assert heard.names == ["card", "turn"]
    app.settings_controller.setProperty("sound", False)
    table.moved.emit("play", 0, -2, [])
    assert len(heard.names) == 2
    app.settings_controller.setProperty("sound", True)
    for left, mine in ((20, True), (9.9, False), (9.9, True), (9.7, True), (0, True), (8, True)):
        app.sounds.clock(left, mine)
    assert heard.names[2:] == ["clock"] * 2


def test_the_volume_is_the_players(app: Application) -> None:
    heard = Listener()
    app.sounds.output = heard
    settings = app.settings_controller
    assert (settings.property("volume"), settings.property("soundState")) == (80, "on")
    for volume in (100, 50, 0):
        settings.setProperty("volume", volume)
        settings.hearSound()
    assert heard.played == [("card", 1.0), ("card", 0.25)]


def test_what_is_muted_can_be_heard_again_with_one_key(app: Application) -> None:
    settings = app.settings_controller
    for volume, after in ((30, 30), (0, 80)):
        settings.setProperty("volume", volume)
        settings.setProperty("sound", False)
        assert settings.property("soundState") == "muted"
        settings.toggleSound()
        assert (settings.property("soundState"), settings.property("volume")) == ("on", after)
    settings.toggleSound()
    assert settings.property("soundState") == "muted"
    settings.setProperty("sound", True)
    settings.setProperty("volume", 0)
    assert settings.property("soundState") == "muted"
    settings.toggleSound()
    assert settings.property("soundState") == "on"


@pytest.mark.parametrize("name", SOUND_NAMES)
def test_every_sound_is_there_and_short(name: str) -> None:
    with wave.open(str(resource("sounds", f"{name}.wav"))) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        assert 0.03 < file.getnframes() / file.getframerate() < min(1, QUIET)


# ---- on the screen --------------------------------------------------------------------------


def test_the_icon_at_the_table_shows_what_is_true(running: Running) -> None:
    app = running.app
    scenes.put(running, scenes.game(4))
    window = running.window
    assert isinstance(window, QQuickWindow)
    icon = find(window, "sound")

    def shown() -> tuple[object, object]:
        return icon.property("symbol"), icon.property("label")

    assert shown() == ("sound", "Sound is on")
    app.output.can_be_heard = False
    app.output.heardChanged.emit()
    assert shown() == ("nosound", "Sound is on, but no sound device works now")
    press(window, Qt.Key.Key_M)
    assert shown() == ("mute", "Sound is off")
    press(window, Qt.Key.Key_M)
    app.output.can_be_heard = True
    app.output.heardChanged.emit()
    assert shown() == ("sound", "Sound is on")


def test_the_settings_have_a_volume_and_say_when_there_is_no_device(running: Running) -> None:
    window = running.window
    assert isinstance(window, QQuickWindow)
    heard = Listener()
    running.app.sounds.output = heard
    running.app.open("settings")
    slider = window.findChild(QQuickItem, "volume")
    assert slider is not None
    slider.forceActiveFocus()  # scrolls to it
    find(window, "volume")
    notice = running.window.findChild(QQuickItem, "silent")
    assert notice is not None
    assert not notice.isVisible()
    press(window, Qt.Key.Key_Right)
    assert running.app.settings_controller.property("volume") == 85
    until(lambda: heard.played == [("card", 0.85**2)])
    running.app.settings_controller.set_sound_heard(False)
    assert notice.isVisible()
    running.app.settings_controller.setProperty("sound", False)
    assert not notice.isVisible()
    assert not slider.property("enabled")
