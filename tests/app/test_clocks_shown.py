"""The time that is left: one number for one player, wherever it is shown."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtQuick import QQuickWindow

from lanuno.app.running import Running
from lanuno.client.observed_state import Clock
from lanuno.client.observer import TableObserver
from lanuno.log.replay.times import TimedDecision
from lanuno.log.round import events
from lanuno.rules.engine.state import RoundPhase
from lanuno.table.outputs import QuorumChanged, SeatsAwaited, shown_seconds
from tests.app.announcements import announced
from tests.app.pictures import scenes_table as scenes
from tests.app.pictures.inspection import spots
from tests.app.user_input import find
from tests.app.waiting import settle

TURN = TimedDecision(1, 7, 2, RoundPhase.TURN, 40, 5_000, 61_000)


class Watched:
    """An observer, with a replay and a clock that the test controls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.times = SimpleNamespace(open_decision=TURN, ms=5_000)
        clock = SimpleNamespace(monotonic=lambda: self.now)
        monkeypatch.setattr("lanuno.client.observer.time", clock)
        monkeypatch.setattr(TableObserver, "_schedule_update", lambda _self: None)
        self.observer = TableObserver(lambda _told: None, lambda: None)

    def look(self) -> float:
        """What is left of the turn, as everything that was told has it; -1 without a clock."""
        runtime: Any = SimpleNamespace(
            node=SimpleNamespace(replay=SimpleNamespace(times=self.times))
        )
        self.observer._update_clock(runtime, self.now)
        clock = self.observer._observed.clock
        return -1 if clock is None else clock.since + clock.total - self.now


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


def test_nobody_loses_time_while_the_table_waits(watched: Watched) -> None:
    assert watched.look() == 61
    watched.now += 20
    watched.observer(SeatsAwaited((1,), 60.0))
    watched.look()
    watched.now += 30
    watched.look()
    watched.observer(SeatsAwaited((), 0.0))
    assert watched.look() == 41
    watched.now += 1
    assert watched.look() == 40


def test_the_host_says_what_is_left_once_it_goes_on(watched: Watched) -> None:
    """Somebody who has just come back has not seen how long the turn has run."""
    watched.look()
    watched.observer(SeatsAwaited((), 7.5))
    assert watched.look() == 7.5
    watched.observer(SeatsAwaited((), 1e6))
    assert watched.look() == 61, "not more than the rules give"


@pytest.mark.parametrize("how", ["frozen", "contact"])
def test_the_clock_stands_while_nothing_counts(watched: Watched, how: str) -> None:
    watched.look()
    if how == "frozen":
        watched.observer(QuorumChanged(1, 3))
    else:
        watched.observer._observed = replace(watched.observer._observed, in_contact=False)
    watched.look()
    watched.now += 500
    if how == "frozen":
        watched.observer(QuorumChanged(3, 3))
    else:
        watched.observer._observed = replace(watched.observer._observed, in_contact=True)
    assert watched.look() == 61


def test_a_turn_that_begins_during_a_wait_has_all_its_time_after_it(watched: Watched) -> None:
    watched.observer(SeatsAwaited((1,), 60.0))
    watched.look()
    watched.now += 10
    watched.times.open_decision = TimedDecision(1, 8, 3, RoundPhase.TURN, 41, 5_000, 61_000)
    watched.look()
    watched.now += 10
    watched.observer(SeatsAwaited((), 0.0))
    assert watched.look() == 61


def test_what_the_log_knows_of_the_clock_is_believed(watched: Watched) -> None:
    """The autopilot has one second, a program's answer has no clock to look at."""
    watched.times.open_decision = TimedDecision(1, 8, 3, RoundPhase.TURN, 41, 5_000, 1_000)
    assert watched.look() == 1
    watched.times.open_decision = TimedDecision(1, 9, 3, RoundPhase.SHOW, 42, 5_000, 5_000)
    watched.look()
    clock = watched.observer._observed.clock
    assert clock is not None
    assert clock.total == 0
    watched.times.open_decision, watched.times.ms = (
        TimedDecision(1, 9, 3, RoundPhase.TURN, 43, 5_000, 61_000),
        9_000,
    )
    assert watched.look() == 57, "told of later than it was asked"
    watched.times.open_decision = None
    assert watched.look() == -1


def test_a_new_host_begins_its_clocks_anew(watched: Watched) -> None:
    watched.look()
    watched.now += 40
    replay: Any = SimpleNamespace(round=None)
    watched.observer._observe(events.HostElected(1, 1), replay)
    assert watched.look() == 61


def test_a_second_that_has_begun_counts() -> None:
    assert [shown_seconds(each) for each in (-3.0, 0.0, 0.1, 58.0, 58.001)] == [0, 0, 1, 58, 59]


def stop_the_clock(monkeypatch: pytest.MonkeyPatch, now: float) -> None:
    """Of the table alone: what waits in a test goes by the real one."""
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("lanuno.app.controllers.table.time", clock)


def numbers(running: Running, window: QQuickWindow) -> tuple[float, str, str]:
    """What the strip, the seat and the notice say."""
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
    assert "waits 59 seconds" in notice
    strip = find(window, "clock")
    assert (strip.property("late"), strip.property("remaining")) == (False, 59)
    stop_the_clock(monkeypatch, now + 51)
    table._tick()
    assert numbers(running, window)[:2] == (8, "disconnected, 8 s")
    assert not find(window, "clock").property("late")


def test_no_zero_stays(
    running: Running, window: QQuickWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither of the wait nor of the turn: what follows is up to the host."""
    now = time.monotonic()
    clock = Clock(0, 60.0, now - 50)
    scenes.put(running, scenes.game(4), {"waits": ((2, now + 5),), "clock": clock})
    table = running.app.table_controller
    find(window, "notice")
    stop_the_clock(monkeypatch, now + 5)
    table._tick()
    left, seat, notice = numbers(running, window)
    assert (left, table.property("clockTotal"), seat) == (0, 0, "disconnected")
    assert notice.endswith("The table waits; nothing is lost.")
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


def test_what_waits_to_be_told_has_grown_older() -> None:
    """A new host tells its own window later than the others, but of the same moment."""
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
