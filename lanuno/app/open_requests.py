"""Files and links that macOS asks the running program to open; other systems start it again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent, QGuiApplication


class OpeningApplication(QGuiApplication):
    """Qt's application, which passes each request on as a command of the program.

    macOS sends the first ones while the window is being opened: they wait for `answer`.
    """

    commanded = Signal(list)
    """The command: `open` and a file, or `join` and a link."""

    def __init__(self, arguments: Sequence[str]) -> None:
        """`arguments`: the name of the program, and what Qt is told."""
        super().__init__(list(arguments))
        self._waiting: list[list[str]] | None = []

    def event(self, event: QEvent) -> bool:
        """Handle the requests (`QFileOpenEvent`), and leave everything else to Qt."""
        if not isinstance(event, QFileOpenEvent):
            return super().event(event)
        file = event.file()
        command = ["open", file] if file else ["join", event.url().toString()]
        if self._waiting is None:
            self.commanded.emit(command)
        else:
            self._waiting.append(command)
        return True

    def answer(self) -> None:
        """Pass on what came so far, and what comes from now on at once."""
        waiting, self._waiting = self._waiting or [], None
        for command in waiting:
            self.commanded.emit(command)
