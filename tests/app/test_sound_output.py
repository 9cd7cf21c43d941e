"""Tests of the app's end of the sound process: a process that fails means silence.

No test opens a device. `test_sound_device.py` records a real sound server.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QProcess

from lanuno.app.running import Running
from lanuno.app.sound_output import SILENT_VARIABLE, SoundOutput
from lanuno.store.resources import resource
from tests.app.waiting import until

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
    return int(output._process.processId())


def test_a_request_reaches_the_process(
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
def test_a_process_that_crashes_plays_no_sound(
    output: Callable[[str], SoundOutput], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = output(text)
    playing.check_device()
    until(lambda: not playing.can_be_heard)
    assert playing._process is None
    skip_the_wait(monkeypatch, playing)
    # The new process may have ended before its first request is written, so starts are counted.
    starts: list[int] = []
    start = playing._start

    def counted() -> QProcess:
        process = start()
        starts.append(process.processId())
        return process

    monkeypatch.setattr(playing, "_start", counted)
    playing.check_device()
    assert len(starts) == 1


def test_a_process_that_does_not_answer_is_ended(output: Callable[[str], SoundOutput]) -> None:
    playing = output("import signal\nsignal.pause()")
    playing._answer_timer.setInterval(1)
    for _ in range(20_000):  # more than a pipe can buffer
        playing.play("card", 1)
    pid = started(playing)
    until(lambda: not playing.can_be_heard)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_missing_program_plays_no_sound(qt: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SILENT_VARIABLE)
    playing = SoundOutput(program=("/nonexistent/program",))
    playing.play("card", 1)
    until(lambda: not playing.can_be_heard)
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
