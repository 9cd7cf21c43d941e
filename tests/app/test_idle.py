"""An idle window draws no frames, because drawing without a graphics card takes a whole core."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from PySide6.QtQuick import QQuickWindow

from lanuno.app.controllers.application import Application
from lanuno.app.running import Running
from lanuno.client.observed_state import Clock
from tests.app.pictures import scenes_entry as doors
from tests.app.pictures import scenes_result as results
from tests.app.pictures import scenes_table as tables
from tests.app.pictures.render import qml
from tests.app.pictures.scene import View
from tests.app.waiting import until

QUIET = 1.5
"""Seconds without a frame after which the window counts as idle."""
PATIENCE = 90.0


def owing(running: Running, view: View) -> None:
    """Show the own turn of a player who still has to say "UNO"."""
    tables.playing(tables.nothing)(running, view)
    table = running.app.table_controller
    table.view = replace(table.view, can_uno=True, me={**table.view.me, "owesUno": True})
    table.changed.emit()


def at_a_running_table(running: Running, view: View) -> None:
    """Show the own turn, with the clock timer running."""
    tables.playing(tables.nothing)(running, view)
    running.app.table_controller._clock_timer.start()


@pytest.mark.parametrize(
    "arrange",
    [
        doors.found,
        doors.nothing,
        doors.newcomer,
        doors.who_i_am,
        doors.joining,
        doors.room,
        at_a_running_table,
        owing,
        tables.asked("catch"),
        tables.asked("challenge"),
        results.after_a_round,
        results.being_checked,
    ],
)
def test_everything_comes_to_rest(
    running: Running, arrange: Callable[[Running, View], None]
) -> None:
    window = running.window
    assert isinstance(window, QQuickWindow)
    running.app.settings_controller.change("motion", 1.0)
    arrange(running, View())
    last = [time.monotonic()]
    window.frameSwapped.connect(lambda: last.append(time.monotonic()))
    window.update()
    until(lambda: len(last) > 1)
    until(lambda: time.monotonic() - last[-1] > QUIET, PATIENCE)


def test_no_animation_is_endless() -> None:
    """No animation repeats endlessly, because the window would be drawn all the time."""
    endless = [
        f"{path.name}: {line.strip()}"
        for path in sorted(qml().rglob("*.qml"))
        for line in path.read_text("utf-8").splitlines()
        if "Infinite" in line
    ]
    assert endless == []


def test_the_clock_moves_once_a_second(app: Application, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock changes once a second, not at every tick of its timer."""
    now = 1000.0
    clocks = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("lanuno.app.controllers.table.time", clocks)
    table = app.table_controller
    clock = Clock(0, 60.0, now)
    table.show(tables.game(4).whole(clock=clock), True)
    table._clock_timer.stop()
    told: list[float] = []
    table.clockChanged.connect(lambda: told.append(table.property("clockLeft")))
    for _ in range(50):
        now += 0.2
        table._tick()
    assert told == [float(left) for left in range(59, 49, -1)]
