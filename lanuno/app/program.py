"""The program: arguments, Qt, the asyncio thread and the window, from start to orderly end.

A second start with the same folder hands its command to the open window. An unexpected error goes
to the log and into a report that the user can copy. No code of a particular screen belongs here.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import (
    QMessageLogContext,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QGuiApplication, QIcon, QOpenGLContext

from lanuno import __version__
from lanuno.app.instance import Instance, Reply
from lanuno.app.open_requests import OpeningApplication
from lanuno.app.startup_window import NoGraphics, StartupWindow
from lanuno.client.languages import languages
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.logfile import LEVELS, USUAL_LEVEL, logging_to
from lanuno.store.paths import Home
from lanuno.store.resources import resource
from lanuno.store.settings import load_settings
from lanuno.store.trace_file import TraceFile, trace_to
from lanuno.system import signals

FAILED = 70
"""Exit code: the program could not do its work (`ExitCode.INTERNAL`)."""

FILES = 6
"""Exit code: this computer's own files prevent it (`ExitCode.FILES`)."""

NO_WINDOW = 7
"""Exit code: nothing can be drawn on this display (`ExitCode.NO_WINDOW`)."""

SWITCH_SECONDS = 0.001
"""How long the window waits for the interpreter while the network's thread computes.

Each call from Qt may have to wait this long: with Python's default of 5 ms the window would freeze.
"""

_log = logging.getLogger("lanuno.app")
_qt_log = logging.getLogger("lanuno.qt")


def run(arguments: Sequence[str] | None) -> int:
    """Run the app until its window is closed, or hand the command to a window that is open already.

    Returns the exit code.
    """
    try:
        args = _arguments(sys.argv[1:] if arguments is None else list(arguments))
    except StoreError as error:
        sys.stderr.write(f"lanuno: {error}\n")
        return FAILED
    home = Home.default() if args.home is None else Home.at(args.home)
    # What is loaded stays. The window's `Collector` collects from then on.
    gc.disable()
    qInstallMessageHandler(_log_qt_message)
    qt = OpeningApplication(["lanuno"])
    use_software_without_opengl()
    name_program(qt)
    instance: Instance | None = None
    try:
        instance = _instance(home)
        if instance is None or instance.claim():
            return _show(qt, home, args, instance)
        return _hand_over(qt, home, args, instance)
    except StoreError as error:
        return _refuse(qt, args, error)
    except NoGraphics as error:
        return _no_graphics(qt, args, error)
    finally:
        if instance is not None:
            instance.close()
        qInstallMessageHandler(None)


def _hand_over(
    qt: QGuiApplication, home: Home, args: argparse.Namespace, instance: Instance
) -> int:
    """Hand the command to the window that is open already. Return the exit code."""
    if args.trace is not None:
        # That window would play without a trace.
        raise StoreError(FileProblem.IN_USE, home.data)
    reply = instance.hand_over(args.command)
    if reply is Reply.HEARD:
        return 0
    from lanuno.app.problem_texts import not_handed_over
    from lanuno.app.translations import Translations

    Translations(qt).install(args.lang or "")
    sys.stderr.write(f"lanuno: {not_handed_over(reply, instance.refused)}\n")
    return FAILED if reply is Reply.SILENT else FILES


def _refuse(qt: QGuiApplication, args: argparse.Namespace, error: StoreError) -> int:
    """Print why the window cannot be opened with this computer's files. Return the exit code."""
    from lanuno.app.problem_texts import store_problem
    from lanuno.app.translations import Translations

    with suppress(StoreError):  # without translations it is printed in English
        Translations(qt).install(args.lang or "")
    sys.stderr.write(f"lanuno: {store_problem(error)}\n")
    return FAILED if error.problem is FileProblem.MISSING_RESOURCES else FILES


def _no_graphics(qt: QGuiApplication, args: argparse.Namespace, error: NoGraphics) -> int:
    """Print why nothing can be drawn. Return the exit code."""
    from lanuno.app.problem_texts import no_graphics
    from lanuno.app.translations import Translations

    with suppress(StoreError):  # without translations it is printed in English
        Translations(qt).install(args.lang or "")
    sys.stderr.write(f"lanuno: {no_graphics(str(error))}\n")
    return NO_WINDOW


def _instance(home: Home) -> Instance | None:
    """Return the instance, or None if the folders cannot be used; the window then shows why.

    Raise `StoreError` if no screen could read or write anything there.
    """
    try:
        home.create()
    except StoreError as error:
        if error.problem in (FileProblem.NO_HOME, FileProblem.NOT_OURS, FileProblem.NOT_WRITABLE):
            raise
        return None
    return Instance(home)


def _show(
    qt: OpeningApplication, home: Home, args: argparse.Namespace, instance: Instance | None
) -> int:
    level = args.log or _log_level(home)
    with logging_to(home, "window", level, shown=args.debug), trace_to(args.trace) as trace:
        return _run(qt, home, args, instance, trace)


def _run(
    qt: OpeningApplication,
    home: Home,
    args: argparse.Namespace,
    instance: Instance | None,
    trace: TraceFile | None,
) -> int:
    try:
        startup = StartupWindow(home)
        startup.wait()
        # Imported only now: this takes longer than everything before it.
        from lanuno.app.running import Running

        running = Running(home, language=args.lang or "", startup=startup)
        running.app.session_controller.trace = trace
    except RuntimeError as error:
        sys.stderr.write(f"lanuno: {error}\n")
        return FAILED

    def thread_hook(failed: threading.ExceptHookArgs) -> None:
        if failed.exc_value is not None:
            running.bridge.failed.emit(failed.exc_value)

    excepthook = sys.excepthook
    sys.excepthook = lambda _kind, error, _trace: running.unexpected(error)
    threading.excepthook = thread_hook
    switch_interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    # Not `quit`: that asks the window to close, which asks whether the table may be left.
    # Queued: if `ended` is emitted before the loop below runs, the loop ends as it starts.
    running.app.ended.connect(qt.exit, Qt.ConnectionType.QueuedConnection)
    try:
        # Python handles signals when a timer of ours fires, which is several times a second.
        with signals.handled(lambda _number: running.app.end()):
            if instance is not None:
                instance.commanded.connect(running.app.run_command)
            _log.info("the window is open")
            # The search for tables takes the interpreter, which the first page needs.
            startup.after_frame(running.app.start)
            if args.command:
                running.app.run_command(args.command)
            qt.commanded.connect(running.app.run_command)
            qt.answer()
            if instance is not None and instance.place is None:
                for refused in instance.refused:
                    _log.warning("no socket for other starts: %s", refused)
                running.app.report_no_socket(instance.refused)
            elif instance is not None:
                # Only now, with `commanded` connected. Commands that came earlier have waited.
                instance.answer()
            code = qt.exec()
        startup.check_graphics()
        return code
    finally:
        sys.setswitchinterval(switch_interval)
        sys.excepthook = excepthook
        threading.excepthook = threading.__excepthook__
        running.close()


def use_software_without_opengl() -> None:
    """Let Qt draw without OpenGL where there is none; Qt would abort the program.

    What the user has chosen for Qt stays as it is.
    """
    if os.environ.keys() & {"QT_QUICK_BACKEND", "QSG_RHI_BACKEND", "QMLSCENE_DEVICE"}:
        return
    if not QOpenGLContext().create():
        os.environ["QT_QUICK_BACKEND"] = "software"


def name_program(qt: QGuiApplication) -> None:
    """Set the name and icon of this program, by which the system also finds its desktop file."""
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
    parser.add_argument("--lang", choices=languages())
    parser.add_argument("--log", choices=tuple(LEVELS))
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("--trace", type=Path)
    parser.add_argument("command", nargs="*", metavar="join LINK | open FILE")
    args = parser.parse_args(given)
    if args.command and (len(args.command) != 2 or args.command[0] not in ("join", "open")):
        parser.error("join LINK, or open FILE")
    return args


def _log_level(home: Home) -> str:
    """Return the level that is set. Unreadable settings are reported where they are used."""
    try:
        return load_settings(home).log
    except StoreError:
        return USUAL_LEVEL


_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}

_SWITCHED_TO_UTF_8 = 'Detected locale "'
"""The start of the message in which Qt says that it uses UTF-8 although the locale does not."""


def _log_qt_message(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Write a message of Qt to the log."""
    level = _QT_LEVELS.get(kind, logging.WARNING)
    if text.startswith(_SWITCHED_TO_UTF_8):
        level = logging.INFO
    _qt_log.log(level, "%s (%s:%s)", text, context.file, context.line)
