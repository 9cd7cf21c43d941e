"""The running app, from opening its window to its end; used by the program and by tests.

No code of a particular screen belongs here, and none of the command line.
"""

from __future__ import annotations

import sys
import traceback

from PySide6.QtCore import QCoreApplication

from lanuno import __version__
from lanuno.app.bridge import Bridge
from lanuno.app.collector import Collector
from lanuno.app.controllers.application import Application
from lanuno.app.loop import LoopThread
from lanuno.app.startup_window import StartupWindow
from lanuno.app.window_place import SavedWindowPlace
from lanuno.store.log_text import without_secrets
from lanuno.store.logfile import write_crash
from lanuno.store.paths import Home


class Running:
    """The window, the asyncio thread and the controllers, which start and end together."""

    def __init__(
        self, home: Home, *, language: str = "", startup: StartupWindow | None = None
    ) -> None:
        """Fill the window, and open it first without a `startup`. A `QGuiApplication` must exist.

        Raises `StoreError` MISSING_RESOURCES if the installation is broken, RuntimeError if the
        pages cannot be shown.
        """
        self.startup = StartupWindow(home) if startup is None else startup
        self.window, self.engine = self.startup.window, self.startup.engine
        self.collector = Collector()
        self.loop = LoopThread()
        self.loop.start()
        self.bridge = Bridge(self.loop)
        self.app = Application(home, self.bridge)
        if language:
            self.app.settings_controller.setProperty("language", language)
        self.engine.rootContext().setContextProperty("app", self.app)
        self.app.retranslated.connect(self.engine.retranslate)
        self.bridge.failed.connect(self.unexpected)
        self.engine.quit.connect(QCoreApplication.quit)
        self.app.window = self.window
        self.place = SavedWindowPlace(self.window, self.app.app_state)
        self.window.setProperty("begun", True)
        if not self.window.property("filled"):
            self.close()
            raise RuntimeError("the pages could not be shown")

    def unexpected(self, error: BaseException) -> None:
        """Write an unexpected error to the log, and show the user a report to copy."""
        log = write_crash(self.app.home_folders, error)
        lines = [f"LanUNO {__version__}, Python {sys.version.split()[0]}"]
        if log is not None:
            lines.append(str(log))
        lines.append(without_secrets("".join(traceback.format_exception(error))))
        self.app.crashed("\n".join(lines))

    def close(self) -> None:
        """End everything, the window before the thread, so that QML uses no deleted object."""
        self.place.keep()
        self.app.close()
        self.app.retranslated.disconnect(self.engine.retranslate)
        self.app.window = None
        self.startup.close()
        self.loop.close()
        self.collector.close()
