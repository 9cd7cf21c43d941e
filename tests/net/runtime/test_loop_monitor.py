"""A blocked loop and a moved clock are logged with their duration; nothing else is logged."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest

from lanuno.net.runtime import loop_monitor
from lanuno.net.runtime.loop_monitor import LoopMonitor
from tests.harness.sockets.running import run, until


def said_of(caplog: pytest.LogCaptureFixture, *, late: float, moved: float) -> list[str]:
    """Return the log lines for a loop this late and a clock that moved this far, in seconds."""
    caplog.set_level(logging.INFO, "lanuno")
    looked: list[int] = []

    async def story() -> None:
        loop = asyncio.get_running_loop()
        watch = LoopMonitor(lambda: looked.append(1))
        watch.stop()
        now, clock = loop.time(), time.time()
        with pytest.MonkeyPatch.context() as patch:
            shift = loop_monitor.LOOP_CHECK_SECONDS + late
            patch.setattr(loop, "time", lambda: now + shift)
            patch.setattr(time, "time", lambda: clock + shift + moved)
            watch._check()
        watch.stop()

    run(story())
    assert looked == [1]
    return caplog.messages


def test_a_loop_that_is_on_time_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    assert said_of(caplog, late=0.5, moved=0.5) == []


def test_a_late_loop(caplog: pytest.LogCaptureFixture) -> None:
    assert said_of(caplog, late=7.2, moved=0.0) == ["this program was held up for 7.2 s"]


def test_a_computer_that_slept(caplog: pytest.LogCaptureFixture) -> None:
    (said,) = said_of(caplog, late=0.0, moved=3600.0)
    assert said == "the clock moved by 3600 s: the computer slept, or it was set"


def test_it_looks_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_monitor, "LOOP_CHECK_SECONDS", 0.001)
    looked: list[int] = []

    async def story() -> None:
        watch = LoopMonitor(lambda: looked.append(1))
        await until(lambda: len(looked) > 2)
        watch.stop()

    run(story())
