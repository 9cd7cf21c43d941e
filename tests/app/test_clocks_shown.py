"""The time left: every place that shows a player's time shows the same number."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtQuick import QQuickWindow

from lanuno.app.running import Running
from lanuno.client.observed_state import Clock
from lanuno.table.outputs import QuorumChanged, SeatsAwaited, shown_seconds
from tests.app.announcements import announced
from tests.app.pictures import scenes_table as scenes
from tests.app.pictures.inspection import spots
from tests.app.user_input import find
from tests.app.waiting import settle


def test_a_second_that_has_begun_counts() -> None:
    assert [shown_seconds(each) for each in (-3.0, 0.0, 0.1, 58.0, 58.001)] == [0, 0, 1, 58, 59]


def stop_the_clock(monkeypatch: pytest.MonkeyPatch, now: float) -> None:
    """Set the clock of the table controller alone; the waits of a test need the real clock."""
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("lanuno.app.controllers.table.time", clock)


def numbers(running: Running, window: QQuickWindow) -> tuple[float, str, str]:
    """Return what the turn strip, the seat and the notice show."""
    settle()
    texts = [
        str(spot.item.property("text"))
        for spot in spots(window)
        if str(spot.item.property("text") or "").startswith("disconnected")
    ]
    table = running.app.table_controller
    return table.property("clockLeft"), texts[0], table.property("pausedText")


def test_strip_seat_and_notice_show_the_same(
    running: Running, window: QQuickWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    clock = Clock(0, 60.0, now - 59.9)
    scenes.put(running, scenes.game(4), {"waits": ((2, now + 58.3),), "clock": clock})
    table = running.app.table_controller
    find(window, "notice")
    stop_the_clock(monkeypatch, now)
    table._tick()
    left, seat, notice = numbers(running, window)
    assert (left, seat) == (59, "disconnected, 59 s")
    assert "59 seconds left" in notice
    strip = find(window, "clock")
    assert (strip.property("late"), strip.property("remaining")) == (False, 59)
    stop_the_clock(monkeypatch, now + 51)
    table._tick()
    assert numbers(running, window)[:2] == (8, "disconnected, 8 s")
    assert not find(window, "clock").property("late")


def test_no_zero_stays(
    running: Running, window: QQuickWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wait or a turn that has run out shows no time, because the host decides what follows."""
    now = time.monotonic()
    clock = Clock(0, 60.0, now - 50)
    scenes.put(running, scenes.game(4), {"waits": ((2, now + 5),), "clock": clock})
    table = running.app.table_controller
    find(window, "notice")
    stop_the_clock(monkeypatch, now + 5)
    table._tick()
    left, seat, notice = numbers(running, window)
    assert (left, table.property("clockTotal"), seat) == (0, 0, "disconnected")
    assert "cannot be reached. " in notice
    scenes.put(running, scenes.game(4), {"clock": clock})
    assert table.property("clockTotal") == 60
    stop_the_clock(monkeypatch, now + 11)
    table._tick()
    assert (table.property("clockLeft"), table.property("clockTotal")) == (0, 0)
    assert "clock" not in {spot.item.objectName() for spot in spots(window)}


def test_the_last_seconds_of_a_wait_are_no_turn_that_ends(
    running: Running, window: QQuickWindow
) -> None:
    said = announced(running.app)
    waits = ((2, time.monotonic() + 5),)
    scenes.put(running, scenes.game(4), {"waits": waits})
    running.app.table_controller._tick()
    assert not any("seconds left" in text for text in said)
    scenes.put(running, scenes.game(4), {"clock": Clock(0, 60.0, time.monotonic() - 55)})
    assert any("seconds left" in text for text in said)


def test_a_delayed_report_of_a_wait_subtracts_the_delay() -> None:
    """A delayed report of a wait subtracts the delay: a new host reports to its window later."""
    from lanuno.net.runtime.node_runtime import NodeRuntime

    async def story() -> list[object]:
        told: list[object] = []
        loop = asyncio.get_running_loop()
        runtime: Any = SimpleNamespace(
            _deferred_reports={
                SeatsAwaited: (SeatsAwaited((1,), 60.0), loop.time() - 1.0),
                QuorumChanged: (QuorumChanged(1, 2), loop.time() - 1.0),
            },
            _closed=False,
            _loop=SimpleNamespace(time=loop.time),
            _report_missing=told.append,
        )
        NodeRuntime._report_deferred(runtime)
        return told

    waits, frozen = asyncio.run(story())
    assert isinstance(waits, SeatsAwaited)
    assert 0 < waits.seconds <= 59.0
    assert frozen == QuorumChanged(1, 2)
