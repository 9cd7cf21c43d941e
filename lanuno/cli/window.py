"""From the command line to the window: the one place that starts the app, and it starts it late.

Nothing of Qt is loaded before somebody wants a window.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure

_APP = "lanuno.app.main"
"""By its name: the app stands above the command line, and nothing else here may know of it."""


def has_display() -> bool:
    """Whether a window could be shown here."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_window(home: Path | None, language: str | None, *what: str) -> ExitCode:
    """Run the app until its window is closed. `what`: a command for it.

    A `Failure` (NO_WINDOW) if this system lacks what Qt needs.
    """
    try:
        app: Any = importlib.import_module(_APP)
    except ImportError as error:
        raise Failure(ExitCode.NO_WINDOW, "error.no_window", why=str(error)) from None
    arguments = [] if home is None else ["--home", str(home)]
    arguments += [] if language is None else ["--lang", language]
    return ExitCode(app.main([*arguments, *what]))
