"""Starts the app: arguments, Qt, the asyncio thread, the window; and ends it all in order.

    python -m lanuno.app.main [--home DIR] [--lang es|en] [join LINK | open FILE]

A second start with the same folder hands its command to the window that is there. Whatever goes
wrong unexpectedly ends in the log and in a report that the user can copy. Nothing of any screen
belongs here.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    QtMsgType,
    QUrl,
    qInstallMessageHandler,
)
from PySide6.QtGui import QGuiApplication, QIcon, QWindow
from PySide6.QtQml import QQmlApplicationEngine
from PySide6.QtQuickControls2 import QQuickStyle

from lanuno import __version__
from lanuno.app.bridge import Bridge
from lanuno.app.collector import Collector
from lanuno.app.controllers.application import Application
from lanuno.app.instance import Instance
from lanuno.app.loop import LoopThread
from lanuno.app.translations import Translations
from lanuno.app.window_place import WindowKeeper
from lanuno.app.words import translate
from lanuno.store.errors import StoreError
from lanuno.store.logfile import open_log, write_crash
from lanuno.store.paths import Home
from lanuno.store.resources import resource

FAILED = 70
"""The program could not do what it should (`ExitCode.INTERNAL`)."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)

_log = logging.getLogger("lanuno.app")
_qt_log = logging.getLogger("lanuno.qt")


class Running:
    """The app, from its window to its end. For the program and for tests alike."""

    def __init__(self, home: Home, *, language: str = "") -> None:
        """Open the window. A `QGuiApplication` must be there.

        Raises `StoreError` MISSING_RESOURCES if the installation is broken.
        """
        qml = resource("qml")
        main = resource("qml", "Main.qml")
        self.collector = Collector()
        self.loop = LoopThread()
        self.loop.start()
        self.bridge = Bridge(self.loop)
        self.app = Application(home, self.bridge, qml / "Screens")
        if language:
            self.app.preferences.setProperty("language", language)
        self.engine = QQmlApplicationEngine()
        self.engine.addImportPath(str(qml))
        self.engine.rootContext().setContextProperty("app", self.app)
        self.app.retranslated.connect(self.engine.retranslate)
        self.bridge.failed.connect(self.unexpected)
        self.engine.quit.connect(QCoreApplication.quit)
        self.engine.load(QUrl.fromLocalFile(str(main)))
        roots = self.engine.rootObjects()
        if not roots:
            self.close()
            raise RuntimeError("the window could not be made")
        window = roots[0]
        assert isinstance(window, QWindow)
        self.window = window
        self.app.window = window
        self.place = WindowKeeper(window, self.app.memory)

    def unexpected(self, error: BaseException) -> None:
        """A mistake of the program: to the log, and to the user as a report to copy."""
        log = write_crash(self.app.home_folders, error)
        lines = [f"LanUNO {__version__}, Python {sys.version.split()[0]}"]
        if log is not None:
            lines.append(str(log))
        lines.append("".join(traceback.format_exception(error)))
        self.app.crashed("\n".join(lines))

    def close(self) -> None:
        """End everything, the window first: nothing may look at what is gone."""
        if self.app.window is not None:
            self.place.keep()
        self.app.close()
        self.app.retranslated.disconnect(self.engine.retranslate)
        self.app.window = None
        for each in (*self.engine.rootObjects(), self.engine):
            each.deleteLater()
            QCoreApplication.sendPostedEvents(each, QEvent.Type.DeferredDelete)
        self.loop.close()
        self.collector.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the app until its window is closed, or let a window do it that is open already."""
    args = _arguments(sys.argv[1:] if arguments is None else list(arguments))
    home = Home.default() if args.home is None else Home.at(args.home)
    qInstallMessageHandler(_hear_qt)
    qt = QGuiApplication(["lanuno"])
    name_program(qt)
    instance = _instance(home)
    try:
        if instance is None or instance.claim():
            return _show(qt, home, args, instance)
        if instance.hand_over(args.command):
            return 0
        Translations(qt).speak(args.lang or "")
        why = translate(
            "Application",
            "LanUNO is open already, but its window does not answer. End it, then start again.",
        )
        sys.stderr.write(f"lanuno: {why}\n")
        return FAILED
    finally:
        if instance is not None:
            instance.close()
        qInstallMessageHandler(None)


def _instance(home: Home) -> Instance | None:
    """None where not even the folders can be made: the window says why."""
    try:
        home.create()
    except StoreError:
        return None
    return Instance(home)


def _show(
    qt: QGuiApplication, home: Home, args: argparse.Namespace, instance: Instance | None
) -> int:
    handler = _start_log(home)
    QQuickStyle.setStyle("Basic")
    try:
        running = Running(home, language=args.lang or "")
    except (StoreError, RuntimeError) as error:
        sys.stderr.write(f"lanuno: {error}\n")
        _end_log(handler)
        return FAILED

    def hook(
        _kind: type[BaseException], error: BaseException, _trace: TracebackType | None
    ) -> None:
        running.unexpected(error)

    def thread_hook(failed: threading.ExceptHookArgs) -> None:
        if failed.exc_value is not None:
            running.bridge.failed.emit(failed.exc_value)

    sys.excepthook, threading.excepthook = hook, thread_hook
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        # Python looks at signals whenever a timer of ours runs, which is several times a second.
        signal.signal(number, lambda *_: running.app.end())
    if instance is not None:
        instance.commanded.connect(running.app.take)
    _log.info("the window is open: LanUNO %s", __version__)
    running.app.start()
    if args.command:
        running.app.take(args.command)
    try:
        return qt.exec()
    finally:
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        for number, what in before.items():
            signal.signal(number, what)
        running.close()
        _end_log(handler)


def name_program(qt: QGuiApplication) -> None:
    """What the system calls this program, and finds its desktop file and icon by."""
    qt.setApplicationName("LanUNO")
    qt.setApplicationVersion(__version__)
    qt.setDesktopFileName("lanuno")
    try:
        qt.setWindowIcon(QIcon(str(resource("art", "icon.svg"))))
    except StoreError:
        _log.info("there is no icon")


def _arguments(given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="lanuno")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--lang", choices=("es", "en"))
    parser.add_argument("command", nargs="*", metavar="join LINK | open FILE")
    args = parser.parse_args(given)
    if args.command and (len(args.command) != 2 or args.command[0] not in ("join", "open")):
        parser.error("join LINK, or open FILE")
    return args


def _start_log(home: Home) -> logging.Handler | None:
    try:
        handler = open_log(home)
    except (StoreError, OSError):
        return None
    root = logging.getLogger()
    root.addHandler(handler)
    logging.getLogger("lanuno").setLevel(logging.INFO)
    return handler


def _end_log(handler: logging.Handler | None) -> None:
    if handler is not None:
        logging.getLogger().removeHandler(handler)
        handler.close()


_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def _hear_qt(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """What Qt has to say goes to the log."""
    _qt_log.log(_LEVELS.get(kind, logging.WARNING), "%s (%s:%s)", text, context.file, context.line)


if __name__ == "__main__":
    sys.exit(main())
