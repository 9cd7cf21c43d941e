"""Starts the window from the command line. This is the only place that starts the app.

No part of Qt is loaded before a window is needed. Conditions under which Qt would abort the program
(no display, a missing system library) are detected beforehand.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import importlib.util
import os
import re
import sys
import threading
from pathlib import Path
from typing import Any, Final

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.net.diagnostics.port_probe import answers_at
from lanuno.system import local_sockets

_APP = "lanuno.app.main"
"""Imported by name, because the app is a layer above the command line."""

_X_DISPLAY: Final = re.compile(r"(?P<host>.*):(?P<number>[0-9]{1,4})(?:\.[0-9]+)?")
_X_PORT: Final = 6000
_PLUGINS: Final = Path("Qt", "plugins", "platforms")
"""Where PySide6 keeps the platform plugins."""

_DISPLAY_SECONDS: Final = 2.0
"""Seconds that a display on another computer may take to answer."""


def has_display() -> bool:
    """Whether a window could be shown here."""
    own = sys.platform in ("win32", "darwin")
    return own or bool(os.environ.get("QT_QPA_PLATFORM")) or _wayland_answers() or _x_answers()


def display_problem() -> Failure | None:
    """Return that none of the displays that the environment names answers, if it names any."""
    names = [os.environ.get(name, "") for name in ("WAYLAND_DISPLAY", "DISPLAY")]
    if has_display() or not any(names):
        return None
    display = " ".join(filter(None, names))
    return Failure(ExitCode.NO_WINDOW, "error.display_silent", display=display)


def open_window(args: argparse.Namespace, *what: str) -> ExitCode:
    """Run the app until its window is closed.

    `args`: folder, lang, log, debug and trace. `what`: a command for the app, with its argument.
    Raises `Failure` (NO_WINDOW) if this system lacks something that Qt needs, or if the display
    refuses this user.
    """
    try:
        app: Any = importlib.import_module(_APP)
        if sys.platform == "linux" and not os.environ.get("QT_QPA_PLATFORM"):
            _load_plugin()
            _choose_platform()
    except (ImportError, OSError) as error:
        # In a frozen program, PyInstaller wraps the loader's error.
        why = str(error.__cause__ or error)
        raise Failure(ExitCode.NO_WINDOW, "error.no_window", why=why) from None
    options = {
        "--home": args.folder,
        "--lang": args.lang,
        "--log": args.log,
        "--trace": args.trace,
    }
    arguments = [f"{name}={value}" for name, value in options.items() if value is not None]
    arguments += ["--debug"] if args.debug else []
    return ExitCode(app.main([*arguments, *what]))


def _load_plugin() -> None:
    """Raise the loader's `OSError` if no plugin can be loaded for a display that answers.

    Qt itself would abort the program. The error names the missing system library.
    """
    found = importlib.util.find_spec("PySide6")
    folders = (found and found.submodule_search_locations) or []
    names = ["libqwayland*.so"] * _wayland_answers() + ["libqxcb.so"] * _x_answers()
    plugins = [
        plugin
        for folder in folders
        for name in names
        for plugin in sorted(Path(folder, _PLUGINS).glob(name))
    ]
    for number, plugin in enumerate(plugins, 1):
        try:
            ctypes.CDLL(str(plugin))
        except OSError:
            if number == len(plugins):
                raise
        else:
            return


def _choose_platform() -> None:
    """Let Qt use a display that works: it would abort the program, or wait, for one that does not.

    Raise `Failure` if there is none.
    """
    wayland = _wayland_answers()
    if not _x_accepts():
        if not wayland:
            display = os.environ.get("DISPLAY", "")
            raise Failure(ExitCode.NO_WINDOW, "error.display_refused", display=display)
        os.environ["QT_QPA_PLATFORM"] = "wayland"
    elif not wayland:
        os.environ["QT_QPA_PLATFORM"] = "xcb"


def _x_accepts() -> bool:
    """Whether the X display accepts this user as a client, within some seconds."""
    if not _x_answers():
        return False
    accepted: list[bool] = []

    def connect() -> None:
        xcb = ctypes.CDLL("libxcb.so.1")
        xcb.xcb_connect.restype = ctypes.c_void_p
        connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
        accepted.append(xcb.xcb_connection_has_error(connection) == 0)
        xcb.xcb_disconnect(connection)

    # In a thread, because a server that hangs never answers.
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(_DISPLAY_SECONDS)
    return accepted == [True]


def _wayland_answers() -> bool:
    name, folder = os.environ.get("WAYLAND_DISPLAY"), os.environ.get("XDG_RUNTIME_DIR", "")
    return bool(name) and _answers(str(Path(folder, name or "")))


def _x_answers() -> bool:
    """Whether the display in DISPLAY answers; it may be here or on another computer."""
    found = _X_DISPLAY.fullmatch(os.environ.get("DISPLAY", ""))
    if found is None:
        return False
    if found["host"] in ("", "unix"):
        path = f"/tmp/.X11-unix/X{found['number']}"  # noqa: S108 - where every X server has it
        return _answers(path) or (sys.platform == "linux" and _answers(f"\0{path}"))
    host, port = found["host"].strip("[]"), _X_PORT + int(found["number"])
    return answers_at(host, port, _DISPLAY_SECONDS)


def _answers(path: str) -> bool:
    return local_sockets.answers(path, _DISPLAY_SECONDS)
