"""Puts the window where it fits: in its saved place, and never larger than its screen.

All sizes are logical pixels, so a screen of 1920 x 1080 at 200 % has 960 x 540.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMargins, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QScreen, QWindow

from lanuno.store.app_state import WindowPlace

if TYPE_CHECKING:
    from lanuno.app.controllers.app_state import SavedAppState

USUAL: Final = QSize(1180, 760)
SMALLEST: Final = QSize(800, 560)
"""The minimum size on a screen that has room for it."""
TITLE_BAR: Final = 40
"""Height reserved for the title bar while the window manager has not drawn one."""
SETTLED_MS: Final = 150
"""A window is moved before it is maximised, so a place counts only after this time."""
FRAME_CHECKS: Final = 20
"""How often to look for the title bar. Some systems have none."""


class SavedWindowPlace(QObject):
    """Follows the place of one window; `keep` saves it.

    When its screen shrinks or vanishes, the window is fitted again. It is not when the user moves
    it: part of it may lie beyond an edge on purpose.
    """

    def __init__(self, window: QWindow, app_state: SavedAppState) -> None:
        """Begin with the saved place, or with where the window is now."""
        super().__init__(window)
        self._window = window
        self._app_state = app_state
        place = app_state.state.window
        self._normal = window.geometry() if place is None else _saved(place, window)
        """The place of the window while it is neither maximised nor full screen."""
        self._moved = QTimer(self)
        self._moved.setSingleShot(True)
        self._moved.setInterval(SETTLED_MS)
        self._moved.timeout.connect(self._settled)
        for signal in (window.xChanged, window.yChanged, window.widthChanged, window.heightChanged):
            signal.connect(self._soon)
        window.screenChanged.connect(self._limit)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        for screen in application.screens():
            self._watch(screen)
        application.screenAdded.connect(self._watch)
        application.screenRemoved.connect(self._lose)
        self._await_frame(window.geometry(), FRAME_CHECKS)

    def _soon(self, _value: int) -> None:
        self._moved.start()

    def _settled(self) -> None:
        if self._window.visibility() is QWindow.Visibility.Windowed:
            self._normal = self._window.geometry()

    def _watch(self, screen: QScreen) -> None:
        screen.availableGeometryChanged.connect(self._refit)

    def _lose(self, _screen: QScreen) -> None:
        # Qt moves the window to another screen only after this signal.
        QTimer.singleShot(0, self, self._refit)

    def _await_frame(self, placed: QRect, checks: int) -> None:
        """Fit the window once its title bar is known, unless the user has moved it before."""
        if checks and self._window.frameMargins().isNull():
            # Qt does not report that a window manager has drawn the title bar.
            QTimer.singleShot(SETTLED_MS, self, lambda: self._await_frame(placed, checks - 1))
        elif self._window.geometry() == placed:
            self._refit()

    def _limit(self) -> None:
        if QGuiApplication.screens():
            limit(self._window, self._window.screen())

    def _refit(self) -> None:
        """Fit the window to its screen; a maximised one only in the place that it returns to."""
        if not QGuiApplication.screens():  # all are switched off
            return
        screen = self._window.screen()
        limit(self._window, screen)
        self._normal = fitted(self._normal, screen, self._window)
        if self._window.visibility() is QWindow.Visibility.Windowed:
            now = self._window.geometry()
            at = fitted(now, screen, self._window)
            if at != now:
                self._window.setGeometry(at)

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


def place_window(window: QWindow, place: WindowPlace | None) -> None:
    """Show the window at its saved place; without one, in the middle of the screen."""
    if place is None:
        screen = window.screen()
        at = QRect(QPoint(), USUAL)
        at.moveCenter(screen.availableGeometry().center())
        at = fitted(at, screen, window)
    else:
        screen = _screen(place)
        at = _saved(place, window)
    limit(window, screen)
    window.setGeometry(at)
    if place is not None and place.full_screen:
        window.showFullScreen()
    elif place is not None and place.maximized:
        window.showMaximized()
    else:
        window.show()


def _screen(place: WindowPlace) -> QScreen:
    return next(
        (each for each in QGuiApplication.screens() if each.name() == place.screen),
        QGuiApplication.primaryScreen(),
    )


def _saved(place: WindowPlace, window: QWindow) -> QRect:
    at = QRect(place.x, place.y, place.width, place.height)
    return fitted(at, _screen(place), window)


def _room(screen: QScreen, window: QWindow) -> QRect:
    """Return the available area of a screen without the frame of the window."""
    frame = window.frameMargins()
    if frame.isNull():
        frame = QMargins(0, TITLE_BAR, 0, 0)
    return screen.availableGeometry().marginsRemoved(frame)


def limit(window: QWindow, screen: QScreen) -> None:
    """Set the minimum size, which is no larger than this screen has room for."""
    window.setMinimumSize(SMALLEST.boundedTo(_room(screen, window).size()))


def fitted(at: QRect, screen: QScreen, window: QWindow) -> QRect:
    """Return the place fitted to this screen: neither the window nor its frame leaves it."""
    room = _room(screen, window)
    size = at.size().expandedTo(SMALLEST).boundedTo(room.size())
    return QRect(
        QPoint(
            max(room.left(), min(at.x(), room.right() + 1 - size.width())),
            max(room.top(), min(at.y(), room.bottom() + 1 - size.height())),
        ),
        size,
    )
