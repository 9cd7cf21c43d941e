"""Runs the app as `lanuno` does, and reports on standard output what is on its screen.

It only answers questions; all input comes through the X server.

    python -m tests.harness.screens.instrumented_app [arguments of the app]
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface

from lanuno.app import program, running
from lanuno.app.startup_window import StartupWindow
from lanuno.store.paths import Home

MOST_DEEP = 64
NOTHING: dict[str, Any] = {
    "page": "",
    "items": [],
    "announced": [],
    "moving": True,
    "window": [0, 0, 0, 0],
}


class InstrumentedApp(running.Running):
    """The app, kept alive by a reference, with its announcements recorded."""

    now: InstrumentedApp | None = None

    def __init__(
        self, home: Home, *, language: str = "", startup: StartupWindow | None = None
    ) -> None:
        """Make the window fill the screen."""
        super().__init__(home, language=language, startup=startup)
        self.announced: list[str] = []
        self.app.announced.connect(lambda text, _urgent: self.announced.append(text))
        InstrumentedApp.now = self

    def close(self) -> None:
        """End it; nothing is displayed from now on."""
        InstrumentedApp.now = None
        super().close()


def items(interface: QAccessibleInterface | None, deep: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the items that a screen reader finds, in its order."""
    if interface is None or deep > MOST_DEEP:
        return
    state = interface.state()
    if state.invisible:
        return
    rect = interface.rect()
    yield {
        "role": interface.role().name,
        "name": interface.text(QAccessible.Text.Name),
        "value": interface.text(QAccessible.Text.Value),
        "rect": [rect.x(), rect.y(), rect.width(), rect.height()],
        "focused": bool(state.focused),
        "disabled": bool(state.disabled),
        "checked": bool(state.checked),
    }
    for number in range(interface.childCount()):
        yield from items(interface.child(number), deep + 1)


def observe() -> dict[str, Any]:
    """Return everything that can be seen and heard now."""
    watched = InstrumentedApp.now
    if watched is None:
        return NOTHING
    stack = watched.window.findChild(QObject, "stack")
    frame = watched.window.frameGeometry()
    moving = not watched.window.isExposed() or (stack is not None and stack.property("busy"))
    return {
        "moving": moving,
        "page": watched.app.property("page"),
        "items": list(items(QAccessible.queryAccessibleInterface(watched.window))),
        "announced": watched.announced,
        "window": [frame.x(), frame.y(), frame.width(), frame.height()],
    }


def answer() -> None:
    """Answer each line of input with one line, until the input ends."""

    def say() -> None:
        sys.stdout.write(json.dumps(observe()) + "\n")
        sys.stdout.flush()

    for _ in sys.stdin:
        application = QCoreApplication.instance()
        if application is None or InstrumentedApp.now is None:
            sys.stdout.write(json.dumps(NOTHING) + "\n")
            sys.stdout.flush()
        else:
            QTimer.singleShot(0, application, say)


def run(arguments: list[str]) -> int:
    """Run the app until its window is closed."""
    vars(running)["Running"] = InstrumentedApp
    threading.Thread(target=answer, daemon=True).start()
    return program.run(arguments)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
