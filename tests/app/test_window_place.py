"""The window opens in its last place, and lies within its screen, which may have changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QWindow

from lanuno.app.running import Running
from lanuno.app.window_place import SMALLEST, USUAL
from lanuno.store.app_state import AppState, WindowPlace, load_app_state, save_app_state
from lanuno.store.paths import Home
from tests.app.waiting import settle


def within(window: QWindow) -> bool:
    """Whether the window and its frame lie within the available area of its screen."""
    return window.screen().availableGeometry().contains(window.frameGeometry())


def saved(running: Running, home: Home) -> WindowPlace:
    """Save the place of the window, and return it."""
    settle()
    running.place.keep()
    kept = load_app_state(home)[0].window
    assert kept is not None
    return kept


def test_the_window_is_where_it_was(opened: Callable[[], Running], home: Home) -> None:
    # The screen of the tests is narrower than the minimum, so only these places are possible.
    where = (2, 70, 796, 600)
    running = opened()
    running.window.setGeometry(*where)
    kept = saved(running, home)
    assert (kept.x, kept.y, kept.width, kept.height) == where
    running.window.showMaximized()
    kept = saved(running, home)
    assert kept.maximized
    assert (kept.x, kept.y, kept.width, kept.height) == where
    running.window.showNormal()
    again = opened()
    assert again.window.windowStates() == Qt.WindowState.WindowMaximized
    assert saved(again, home) == kept


def test_the_first_window_fits_a_screen_that_is_smaller_than_usual(running: Running) -> None:
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.width() < USUAL.width()
    assert within(running.window)
    assert running.window.minimumWidth() <= running.window.width() < screen.width()
    assert running.window.minimumHeight() == SMALLEST.height()


@pytest.mark.parametrize(
    "place",
    [
        WindowPlace(x=5000, y=20, width=1100, height=700, screen="unplugged"),
        WindowPlace(x=-3000, y=-300, width=600, height=400),
        WindowPlace(x=20, y=500, width=790, height=700),
        WindowPlace(x=0, y=0, width=3840, height=2160, screen="larger"),
    ],
)
def test_a_saved_place_is_fitted_to_the_screen(
    opened: Callable[[], Running], home: Home, place: WindowPlace
) -> None:
    home.create()
    save_app_state(home, AppState(window=place))
    assert within(opened().window)


def test_the_window_follows_a_screen_that_shrinks(running: Running) -> None:
    running.window.setGeometry(300, 500, 1400, 900)
    assert not within(running.window)
    # The platform `offscreen` cannot change its screen, so only the signal is sent.
    screen = running.window.screen()
    screen.availableGeometryChanged.emit(screen.availableGeometry())
    assert within(running.window)
