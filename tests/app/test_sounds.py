"""Which sounds are played, their volume, and the process that plays them.

These tests open no device. `test_sound_device.py` records a real sound server.
"""

from __future__ import annotations

import os
import sys
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtQuick import QQuickItem, QQuickWindow

from lanuno.app.controllers.application import Application
from lanuno.app.running import Running
from lanuno.app.sound_output import SILENT_VARIABLE, SoundOutput
from lanuno.app.sound_player import LATE, NONE, ON, QUIET, NoDeviceError, SoundPlayer, serve
from lanuno.app.sounds import NAMES
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


@pytest.mark.parametrize("name", NAMES)
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
    slider = find(window, "volume")
    notice = running.window.findChild(QQuickItem, "silent")
    assert notice is not None
    assert not notice.isVisible()
    slider.forceActiveFocus()
    press(window, Qt.Key.Key_Right)
    assert running.app.settings_controller.property("volume") == 85
    until(lambda: heard.played == [("card", 0.85**2)])
    running.app.settings_controller.set_sound_heard(False)
    assert notice.isVisible()
    running.app.settings_controller.setProperty("sound", False)
    assert not notice.isVisible()
    assert not slider.property("enabled")


# ---- the sound process ----------------------------------------------------------------------

ANSWERS = "import sys\nfor line in sys.stdin:\n    print({}, flush=True)"


@pytest.fixture
def output(qt: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], SoundOutput]]:
    """Return a function that makes outputs whose process runs a Python script instead."""
    monkeypatch.delenv(SILENT_VARIABLE)
    made: list[SoundOutput] = []

    def make(text: str) -> SoundOutput:
        made.append(SoundOutput(program=(sys.executable, "-c", text)))
        return made[-1]

    yield make
    for each in made:
        each.close()


def started(output: SoundOutput) -> int:
    assert output._process is not None
    return output._process.pid


def test_what_is_asked_reaches_the_process(
    output: Callable[[str], SoundOutput], tmp_path: Path
) -> None:
    note = tmp_path / "note"
    playing = output(
        f"import sys\nopen({str(note)!r}, 'w').write(sys.argv[1] + '\\n' + sys.stdin.readline())\n"
        "print('none', flush=True)\nsys.stdin.read()"
    )
    changes: list[bool] = []
    playing.heardChanged.connect(lambda: changes.append(playing.can_be_heard))
    playing.play("card", 0.25)
    until(lambda: changes)
    folder, line = note.read_text().splitlines()
    assert (folder, line.split()[:3]) == (str(resource("sounds")), ["play", "card", "0.2500"])
    assert changes == [False]
    assert not playing._answer_timer.isActive()


def skip_the_wait(monkeypatch: pytest.MonkeyPatch, playing: SoundOutput) -> None:
    """Advance the clock of the output alone; the waits of a test need the real clock."""
    clock = SimpleNamespace(monotonic=lambda: playing._next_attempt_at)
    monkeypatch.setattr("lanuno.app.sound_output.time", clock)


def test_a_device_that_comes_back_is_heard_again(
    output: Callable[[str], SoundOutput], monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = output(ANSWERS.format('"none" if "uno" in line else "on"'))
    playing.play("uno", 1)
    until(lambda: not playing.can_be_heard)
    playing.play("card", 1)  # too soon for another attempt
    assert not playing._answer_timer.isActive()
    skip_the_wait(monkeypatch, playing)
    playing.play("card", 1)
    until(lambda: playing.can_be_heard)


@pytest.mark.parametrize("text", ["raise SystemExit(1)", "import os; os.abort()", "no python"])
def test_a_process_that_crashes_is_silence(
    output: Callable[[str], SoundOutput], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = output(text)
    playing.check_device()
    until(lambda: not playing.can_be_heard)
    assert playing._process is None
    skip_the_wait(monkeypatch, playing)
    playing.check_device()
    assert started(playing)


def test_a_process_that_does_not_answer_is_ended(output: Callable[[str], SoundOutput]) -> None:
    playing = output("import signal\nsignal.pause()")
    playing._answer_timer.setInterval(1)
    for _ in range(20_000):  # more than a pipe can buffer
        playing.play("card", 1)
    pid = started(playing)
    until(lambda: not playing.can_be_heard)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_program_that_is_missing_is_silence(qt: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SILENT_VARIABLE)
    playing = SoundOutput(program=("/nonexistent/program",))
    playing.play("card", 1)
    assert not playing.can_be_heard
    playing.close()


def test_the_process_is_ended_when_it_has_been_quiet_and_with_the_app(
    output: Callable[[str], SoundOutput],
) -> None:
    playing = output(ANSWERS.format('"on"'))
    playing._idle_timer.setInterval(1)
    playing.check_device()
    until(lambda: playing._process is None)
    assert playing.can_be_heard
    playing._idle_timer.setInterval(60_000)
    playing.check_device()
    pid = started(playing)
    playing.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_nothing_is_started_where_nothing_may_be_heard(running: Running) -> None:
    running.app.sounds.play("card")
    running.app.output.check_device()
    assert running.app.output._process is None
    assert running.app.output.can_be_heard


# ---- inside the sound process ---------------------------------------------------------------


class Devices:
    """Devices that only record the calls. The next `broken` calls fail."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.broken = 0

    def fail(self) -> None:
        if self.broken:
            self.broken -= 1
            raise NoDeviceError

    def open(self, file: Path, volume: float) -> Device:
        self.fail()
        self.done.append(f"open {file.stem} {volume:g}")
        return Device(self, file.stem)


class Device:
    def __init__(self, all_devices: Devices, name: str) -> None:
        self._all, self._name = all_devices, name

    def play(self) -> None:
        self._all.fail()
        self._all.done.append(f"play {self._name}")

    def close(self) -> None:
        self._all.done.append(f"close {self._name}")


@pytest.fixture
def devices() -> Devices:
    return Devices()


@pytest.fixture
def player(devices: Devices) -> SoundPlayer:
    return SoundPlayer(resource("sounds"), devices.open)


def test_several_sounds_have_a_device_each_until_it_is_quiet(
    player: SoundPlayer, devices: Devices
) -> None:
    assert player.rest(0) is None
    assert player.answer("play card 0.5 0", 0) == ON
    assert player.answer("play uno 0.5 0.1", 0.5) == ON
    assert player.answer("play card 0.5 1", 1) == ON
    assert devices.done == ["open card 0.5", "play card", "open uno 0.5", "play uno", "play card"]
    assert player.answer("look 1", 1) == ON
    assert player.rest(1) == pytest.approx(QUIET - 0.5)
    assert player.rest(QUIET + 0.5) == pytest.approx(0.5)
    assert player.rest(QUIET + 1) is None
    assert devices.done[5:] == ["close uno", "close card"]


def test_another_volume_is_another_device(player: SoundPlayer, devices: Devices) -> None:
    player.answer("play card 0.5 0", 0)
    player.answer("play card 0.25 0", 0)
    assert devices.done[2:] == ["close card", "open card 0.25", "play card"]


def test_what_is_late_is_not_played(player: SoundPlayer, devices: Devices) -> None:
    assert player.answer("play card 0.5 10", 10.1 + LATE) == ON
    assert devices.done == []


def test_a_server_that_was_started_again_is_used_at_once(
    player: SoundPlayer, devices: Devices
) -> None:
    player.answer("play card 0.5 0", 0)
    player.answer("play uno 0.5 0", 0)
    devices.broken = 1
    assert player.answer("play card 0.5 1", 1) == ON
    assert devices.done[4:] == ["close card", "close uno", "open card 0.5", "play card"]


def test_without_a_device_there_is_silence_and_it_is_said(
    player: SoundPlayer, devices: Devices
) -> None:
    devices.broken = 3
    assert player.answer("play card 0.5 0", 0) == NONE
    assert player.answer("look 0", 0) == NONE
    assert player.answer("look 0", 0) == ON
    assert player.rest(0) is None


def test_lines_are_answered_until_the_pipe_ends(player: SoundPlayer) -> None:
    requests, ask = os.pipe()
    hear, answers = os.pipe()
    thread = Thread(target=serve, args=(player, requests, answers))
    thread.start()
    os.write(ask, b"look 0\nlo")
    os.write(ask, b"ok 0\nunfinished")
    said = b""
    while said.count(b"\n") < 2:
        said += os.read(hear, 100)
    os.close(ask)
    thread.join()
    assert said == b"on\non\n"
    for end in (requests, hear, answers):
        os.close(end)
