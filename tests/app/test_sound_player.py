"""Tests of the process that plays sounds, with devices that only record the calls."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from lanuno.app.sound_player import LATE, NONE, ON, QUIET, NoDeviceError, SoundPlayer, serve
from lanuno.store.resources import resource


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


def test_a_late_request_is_not_played(player: SoundPlayer, devices: Devices) -> None:
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
