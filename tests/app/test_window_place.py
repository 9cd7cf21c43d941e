"""The window opens in its last place, unless no screen shows that place any more."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QGuiApplication

from lanuno.app.running import Running
from lanuno.app.window_place import fitting
from lanuno.store.app_state import WindowPlace, load_app_state
from lanuno.store.paths import Home
from tests.app.waiting import settle

PLACE = WindowPlace(x=10, y=20, width=1100, height=700)


def test_the_window_is_where_it_was(opened: Callable[[], Running], home: Home) -> None:
    running = opened()
    running.window.setGeometry(30, 40, 1030, 650)
    settle()
    running.place.keep()
    kept = load_app_state(home)[0].window
    assert kept is not None
    assert (kept.x, kept.y, kept.width, kept.height) == (30, 40, 1030, 650)
    running.window.showMaximized()
    settle()
    running.place.keep()
    kept = load_app_state(home)[0].window
    assert kept is not None
    assert kept.maximized
    assert (kept.width, kept.height) == (1030, 650)
    running.window.showNormal()
    again = opened()
    assert again.window.windowStates() == running.window.windowStates().WindowMaximized
    # The screen of the tests is narrower than the minimum width of the window.
    assert again.place._normal == QRect(again.place._normal.topLeft(), QSize(1024, 650))


@pytest.mark.parametrize("away", [(-5000, 20), (20, -300), (20, 9000)])
def test_a_window_is_not_put_where_nobody_sees_it(running: Running, away: tuple[int, int]) -> None:
    screen = QGuiApplication.primaryScreen()
    place = msgspec.structs.replace(PLACE, x=away[0], y=away[1])
    at = fitting(place, screen, running.window)
    assert screen.availableGeometry().contains(at.topLeft())
    assert at.width() >= running.window.minimumWidth()
