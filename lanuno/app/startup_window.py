"""The window before anything is in it, so that it is there at once: placed, in the right colours.

Loads no more than that needs; everything else is loaded while it shows the sign of the game.
"""

from __future__ import annotations

import logging
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
"""A window that nobody sees draws no frame; it is not waited for any longer."""

_log = logging.getLogger(__name__)


class StartupWindow:
    """An engine and its window. A `QGuiApplication` must be there."""

    def __init__(self, home: Home) -> None:
        """Show the window. Files that cannot be read count as missing; later code reports them.

        Raises `StoreError` MISSING_RESOURCES if the installation is broken, RuntimeError if there
        can be no window.
        """
        self.pages = resource("qml") / "Screens"
        self.engine = QQmlApplicationEngine()
        self.engine.addImportPath(str(resource("qml")))
        self.engine.setInitialProperties({"dark": _dark(_settings(home))})
        self.engine.load(QUrl.fromLocalFile(str(resource("qml", "Main.qml"))))
        roots = self.engine.rootObjects()
        if not roots or not isinstance(roots[0], QWindow):
            raise RuntimeError("the window could not be made")
        self.window = roots[0]
        place = _remembered(home).window
        if place is None:
            self.window.show()
        else:
            place_window(self.window, place)

    def wait(self) -> None:
        """Let it draw its first frame."""
        drawn = QEventLoop()
        # By its name: Python's wrapper of the class would have to be loaded for it.
        QObject.connect(self.window, SIGNAL("frameSwapped()"), drawn, SLOT("quit()"))
        QTimer.singleShot(FIRST_FRAME_MS, drawn.quit)
        drawn.exec()

    def close(self) -> None:
        """End it: nothing may look at what is gone."""
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
