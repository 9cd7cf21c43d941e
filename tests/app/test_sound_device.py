"""Audible sounds: the app plays into a sound server without a loudspeaker, which is recorded.

Each test starts its own PulseAudio server, with a socket in a temporary folder.
"""

from __future__ import annotations

import array
import math
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from lanuno.app import sound_output
from lanuno.app.running import Running
from lanuno.app.sound_output import SILENT_VARIABLE
from tests.app.waiting import until

RATE = 22_050
LOUD = 300
"""The least loudness (root mean square of 16 bits) of a tenth of a second with a sound in it."""


class Server:
    """A sound server whose only device is a null sink, and a recording of its output."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "native"
        self._recording = folder / "recording"
        self._environment = {
            **os.environ,
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_SERVER": f"unix:{self.socket}",
        }
        self.process: subprocess.Popen[bytes] | None = None
        self._recorder: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._recording.unlink(missing_ok=True)
        environment = {**self._environment}
        del environment["PULSE_SERVER"]
        self.process = subprocess.Popen(
            [
                *("pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--disable-shm=yes"),
                *("--exit-idle-time=-1", "--log-level=error"),
                *("-L", f"module-native-protocol-unix socket={self.socket} auth-anonymous=1"),
                *("-L", "module-null-sink sink_name=null"),
            ],
            env=environment,
            stderr=subprocess.DEVNULL,
        )
        until(lambda: self.ask("info").returncode == 0)
        with self._recording.open("wb") as file:
            self._recorder = subprocess.Popen(
                [
                    *("parec", "--raw", "--format=s16le", "--channels=1", f"--rate={RATE}"),
                    *("--latency-msec=50", "--device=null.monitor"),
                ],
                env=self._environment,
                stdout=file,
                stderr=subprocess.DEVNULL,
            )
        until(self.samples)

    def ask(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = ["pactl", *words]
        return subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=False
        )

    def streams(self) -> int:
        """Return the number of sounds that have a device of the server."""
        return len(self.ask("list", "short", "sink-inputs").stdout.splitlines())

    def samples(self) -> array.array[int]:
        data = self._recording.read_bytes() if self._recording.exists() else b""
        return array.array("h", data[: len(data) // 2 * 2])

    def loudness(self, since: int = 0) -> float:
        """Return the loudness of the loudest tenth of a second from a sample on."""
        found, step = self.samples()[since:], RATE // 10
        tenths = [found[at : at + step] for at in range(0, len(found), step)]
        return max((math.sqrt(sum(x * x for x in one) / len(one)) for one in tenths), default=0)

    def has_been_silent(self) -> bool:
        """Whether the last half second of the recording is silent."""
        since = len(self.samples()) - RATE // 2
        return since > 0 and self.loudness(since) == 0

    def kill(self) -> None:
        for process in (self._recorder, self.process):
            if process is not None:
                process.kill()
                process.wait()
        self.process = self._recorder = None


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    # The path of a socket has a length limit.
    with tempfile.TemporaryDirectory(prefix="lanuno-") as folder:
        server = Server(Path(folder))
        server.start()
        monkeypatch.delenv(SILENT_VARIABLE)
        monkeypatch.setenv("PULSE_SERVER", f"unix:{server.socket}")
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield server
        server.kill()


@pytest.fixture
def heard(
    server: Server, opened: Callable[[], Running], monkeypatch: pytest.MonkeyPatch
) -> Running:
    """An app that plays into the server, and restarts its sound process without a delay."""
    monkeypatch.setattr(sound_output, "RESTART_SECONDS", 0.0)
    return opened()


def hear(server: Server, play: Callable[[], object], since: int = 0) -> None:
    """Play until it is heard, because on a slow machine the first sounds are late and dropped."""

    def loud() -> bool:
        play()
        return server.loudness(since) > LOUD

    until(loud)


def test_a_game_is_heard_and_a_muted_one_is_not(server: Server, heard: Running) -> None:
    app = heard.app
    hear(server, lambda: app.table_controller.moved.emit("play", 0, -2, []))
    app.settings_controller.toggleSound()
    # On a slow machine some sounds may not have been played yet; the end of the process drops them.
    app.output.close()
    until(lambda: server.streams() == 0)
    until(server.has_been_silent)  # the recording is late on a slow machine
    begin = len(server.samples())
    for kind in ("play", "uno", "out", "draw"):
        app.table_controller.moved.emit(kind, 0, -2, [])
    app.output.check_device()  # once it answers, it would have played
    until(lambda: not app.output._answer_timer.isActive())
    until(lambda: len(server.samples()) > begin + RATE)
    assert server.loudness(begin) == 0
    app.settings_controller.toggleSound()
    hear(server, app.table_controller.my_turn_began.emit, begin)
    assert app.settings_controller.property("soundState") == "on"


def test_several_sounds_are_heard_at_once(server: Server, heard: Running) -> None:
    def play() -> None:
        for kind in ("play", "uno", "out", "draw"):
            heard.app.table_controller.moved.emit(kind, 0, -2, [])

    def together() -> bool:
        play()
        return server.streams() == 4

    until(together)
    hear(server, play)


def test_a_server_that_is_started_again_is_heard_again(server: Server, heard: Running) -> None:
    app = heard.app
    hear(server, lambda: app.sounds.play("uno"))
    server.kill()

    def lost() -> bool:
        app.sounds.play("uno")
        return bool(app.settings_controller.property("soundState") == "none")

    until(lost)
    server.start()

    def back() -> bool:
        app.sounds.play("uno")
        return app.settings_controller.property("soundState") == "on" and server.loudness() > LOUD

    until(back)


def test_a_server_that_hangs_neither_holds_the_app_nor_its_end(
    server: Server, heard: Running
) -> None:
    app = heard.app
    app.output.check_device()
    until(lambda: app.output._process and not app.output._answer_timer.isActive())
    assert app.output._process is not None
    player = psutil.Process(app.output._process.processId())
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        app.output._answer_timer.setInterval(1)
        app.sounds.play("card")
        until(lambda: app.settings_controller.property("soundState") == "none")
        assert not player.is_running()
        app.output._answer_timer.setInterval(60_000)
        app.sounds.play("card")
        app.output.close()
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    assert app.output._process is None


def test_what_plays_ends_with_the_app_even_if_that_is_killed(
    server: Server, tmp_path: Path
) -> None:
    """The sound process ends when its standard input closes."""
    reading, asking = os.pipe()
    playing = subprocess.Popen(
        [*sound_output.PROGRAM, str(tmp_path)], stdin=reading, stdout=subprocess.DEVNULL
    )
    os.close(reading)
    os.close(asking)
    assert playing.wait(20) == 0
