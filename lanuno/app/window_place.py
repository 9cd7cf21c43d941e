"""Saves the place of the window, and restores it if that is still on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QScreen, QWindow

from lanuno.store.app_state import WindowPlace

if TYPE_CHECKING:
    from lanuno.app.controllers.app_state import SavedAppState

SETTLED_MS: Final = 150
"""A window is moved before it is maximised, so a place counts only after this time."""
GRIP: Final = 64
"""Pixels of the title bar that must be on the screen, so that the window can be dragged."""


class SavedWindowPlace(QObject):
    """Follows the place of one window; `keep` saves it."""

    def __init__(self, window: QWindow, app_state: SavedAppState) -> None:
        """Begin with the saved place, or with where the window is now."""
        super().__init__(window)
        self._window = window
        self._app_state = app_state
        place = app_state.state.window
        self._normal = (
            window.geometry() if place is None else fitting(place, _screen(place), window)
        )
        """The place of the window while it is neither maximised nor full screen."""
        self._moved = QTimer(self)
        self._moved.setSingleShot(True)
        self._moved.setInterval(SETTLED_MS)
        self._moved.timeout.connect(self._settled)
        for signal in (window.xChanged, window.yChanged, window.widthChanged, window.heightChanged):
            signal.connect(self._soon)

    def _soon(self, _value: int) -> None:
        self._moved.start()

    def _settled(self) -> None:
        if self._window.visibility() is QWindow.Visibility.Windowed:
            self._normal = self._window.geometry()

    def keep(self) -> None:
        """Save the place of the window."""
        self._settled()
        states, screen = self._window.windowStates(), self._window.screen()
        at = self._normal
        self._app_state.change(
            window=WindowPlace(
                x=at.x(),
                y=at.y(),
                width=at.width(),
                height=at.height(),
                maximized=bool(states & Qt.WindowState.WindowMaximized),
                full_screen=bool(states & Qt.WindowState.WindowFullScreen),
                screen=screen.name()[:64],
            )
        )


def place_window(window: QWindow, place: WindowPlace) -> None:
    """Show the window at its saved place."""
    window.setGeometry(fitting(place, _screen(place), window))
    if place.full_screen:
        window.showFullScreen()
    elif place.maximized:
        window.showMaximized()
    else:
        window.show()


def _screen(place: WindowPlace) -> QScreen:
    return next(
        (each for each in QGuiApplication.screens() if each.name() == place.screen),
        QGuiApplication.primaryScreen(),
    )


def fitting(place: WindowPlace, screen: QScreen, window: QWindow) -> QRect:
    """Return the place fitted to this screen: no larger than it, and its title bar within reach."""
    room = screen.availableGeometry()
    width = max(window.minimumWidth(), min(place.width, room.width()))
    height = max(window.minimumHeight(), min(place.height, room.height()))
    at = QRect(place.x, place.y, width, height)
    title = QRect(at.topLeft(), QPoint(at.right(), at.top() + GRIP))
    if title.intersected(room).width() < GRIP or at.top() < room.top():
        at.moveTo(
            room.left() + max(0, (room.width() - width) // 2),
            room.top() + max(0, (room.height() - height) // 2),
        )
    return at
