"""Tests of the running app: its window, and reports of errors of the program."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from lanuno.app.running import Running
from lanuno.store.paths import Home
from tests.app.waiting import until


def test_the_window_opens_on_the_first_page(running: Running) -> None:
    assert running.app.property("page") == "home"
    stack = running.window.findChild(QObject, "stack")
    assert stack is not None
    assert stack.property("depth") == 1
    until(running.window.isExposed)


def test_a_mistake_of_the_program_becomes_a_report(running: Running, home: Home) -> None:
    async def fail() -> None:
        raise ZeroDivisionError("on purpose", b"a key")

    running.bridge.run(fail())
    until(lambda: running.app.property("crash"))
    assert "on purpose" in running.app.property("crash")
    assert "on purpose" in home.log.read_text()
    assert "a key" not in home.log.read_text()
    running.app.copyCrash()
    assert "on purpose" in QGuiApplication.clipboard().text()
    assert "a key" not in QGuiApplication.clipboard().text()
    running.app.dismissCrash()
    assert running.app.property("crash") == ""
