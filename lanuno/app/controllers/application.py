"""The one object that QML sees: the stage, and a controller for each screen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Property, QCoreApplication, QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from lanuno import __version__
from lanuno.app.bridge import Bridge
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.stage import Stage
from lanuno.app.translations import Translations
from lanuno.app.words import translate
from lanuno.store.paths import Home


class Application(Stage):
    """`app` in QML: what `Stage` says, and

    version: str
    settings: the controllers of the screens
    crash: str - the report of a mistake of the program, "" if there was none; copyCrash(),
      dismissCrash()
    quit(): leaves what must be left, and ends
    """

    crashChanged = Signal()

    def __init__(self, home: Home, bridge: Bridge, screens: Path | None = None) -> None:
        """Make the controllers; nothing of the network is touched before `start`."""
        super().__init__(home, bridge, screens)
        self._crash = ""
        self._translations = Translations(self)
        self.preferences = SettingsController(self, self._translations)
        """The same as `settings`, for Python."""

    def _get_version(self) -> str:
        return __version__

    def _get_settings(self) -> QObject:
        return self.preferences

    version = Property(str, _get_version, constant=True)
    settings = Property(QObject, _get_settings, constant=True)

    # ---- ending -----------------------------------------------------------------------------

    @Slot()
    def quit(self) -> None:
        """End the program; a table that is left is asked about first."""
        self.ask_to_leave(QCoreApplication.quit)

    def close(self) -> None:
        """Write down what is not written yet; nothing is received from the other thread now."""
        self.preferences.save_if_changed()
        self.bridge.close()

    # ---- mistakes of the program ------------------------------------------------------------

    def crashed(self, report: str) -> None:
        """Show a report that the user can copy. The first one is the cause."""
        if not self._crash:
            self._crash = report
            self.crashChanged.emit()

    def _get_crash(self) -> str:
        return self._crash

    crash = Property(str, _get_crash, notify=crashChanged)

    @Slot()
    def copyCrash(self) -> None:
        """To the clipboard."""
        QGuiApplication.clipboard().setText(self._crash)
        self.notice(translate("Application", "The report was copied."), "good")

    @Slot()
    def dismissCrash(self) -> None:
        """The user has seen it."""
        self._crash = ""
        self.crashChanged.emit()
