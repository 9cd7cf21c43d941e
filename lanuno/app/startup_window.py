"""The empty window that appears immediately after the start, in its place and in the right colours.

This module loads only what that needs. Everything else is loaded while the window shows the logo.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import (
    SIGNAL,
    SLOT,
    QCoreApplication,
    QEvent,
    QEventLoop,
    QObject,
    Qt,
    QTimer,
    QUrl,
)
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtQml import QQmlApplicationEngine

from lanuno.app.window_place import place_window
from lanuno.store.app_state import AppState, read_app_state
from lanuno.store.errors import StoreError
from lanuno.store.paths import Home
from lanuno.store.resources import resource
from lanuno.store.settings import Settings, load_settings

FIRST_FRAME_MS: Final = 1000
"""Time limit for the first frame, because an invisible window never draws one."""

_log = logging.getLogger(__name__)


class NoGraphics(Exception):
    """Qt cannot draw on this display; the text is Qt's reason."""


class StartupWindow:
    """The QML engine and its window. A `QGuiApplication` must exist."""

    def __init__(self, home: Home) -> None:
        """Show the window. Unreadable files count as missing; later code reports them.

        Raises `StoreError` MISSING_RESOURCES if the installation is broken, RuntimeError if the
        window cannot be made.
        """
        self.engine = QQmlApplicationEngine()
        self.engine.addImportPath(str(resource("qml")))
        self.engine.setInitialProperties({"dark": _dark(_settings(home))})
        self.engine.load(QUrl.fromLocalFile(str(resource("qml", "Main.qml"))))
        roots = self.engine.rootObjects()
        if not roots or not isinstance(roots[0], QWindow):
            raise RuntimeError("the window could not be made")
        self.window = roots[0]
        place_window(self.window, _remembered(home).window)

    def wait(self) -> None:
        """Wait for the window's first frame. Raise `NoGraphics` if it cannot be drawn."""
        drawn = QEventLoop()
        # Connected by name: Python's wrapper of the class would have to be loaded otherwise.
        QObject.connect(self.window, SIGNAL("frameSwapped()"), drawn, SLOT("quit()"))
        QTimer.singleShot(FIRST_FRAME_MS, drawn.quit)
        drawn.exec()
        self.check_graphics()

    def after_frame(self, work: Callable[[], None]) -> None:
        """Do this after the window's next frame, or after `FIRST_FRAME_MS` without one."""
        late = QTimer(self.engine)
        late.setSingleShot(True)
        drawn = QTimer(late)
        drawn.setSingleShot(True)

        def end() -> None:
            for timer in (late, drawn):
                timer.stop()
                timer.blockSignals(True)
            late.deleteLater()
            work()

        late.timeout.connect(end)
        drawn.timeout.connect(end)
        # Connected by name, as in `wait`.
        QObject.connect(self.window, SIGNAL("frameSwapped()"), drawn, SLOT("start()"))
        late.start(FIRST_FRAME_MS)

    def check_graphics(self) -> None:
        """Raise `NoGraphics` if Qt could not draw."""
        problem = self.window.property("graphicsProblem")
        if problem:
            raise NoGraphics(problem)

    def close(self) -> None:
        """Delete the window and then the engine, so that QML uses no deleted object."""
        for each in (*self.engine.rootObjects(), self.engine):
            each.deleteLater()
            QCoreApplication.sendPostedEvents(each, QEvent.Type.DeferredDelete)


def _settings(home: Home) -> Settings:
    try:
        return load_settings(home)
    except StoreError as error:
        _log.info("no settings yet: %s", error)
        return Settings()


def _remembered(home: Home) -> AppState:
    try:
        return read_app_state(home)
    except StoreError as error:
        _log.info("nothing is remembered yet: %s", error)
        return AppState()


def _dark(settings: Settings) -> bool:
    if settings.theme != "system":
        return settings.theme == "dark"
    return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
