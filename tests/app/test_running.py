"""Tests of the running app: its window, and reports of errors of the program."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from lanuno.app.rule_texts import preset_name
from lanuno.app.running import Running
from lanuno.store.paths import Home
from lanuno.store.settings import Settings, save_settings
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


def test_a_given_language_replaces_that_of_the_settings(qt: QGuiApplication, home: Home) -> None:
    home.create()
    save_settings(home, Settings(language="en"))
    running = Running(home, language="es")
    try:
        assert running.app._translations.language == "es"
        running.app.notice(preset_name("classic"))
        assert running.app._notices.rows[0].text == "Clásico"
    finally:
        running.close()


def test_a_report_is_shown_even_if_the_log_cannot_be_written(running: Running, home: Home) -> None:
    for file in (home.log, *home.log.parent.glob(f"{home.log.name}*")):
        file.unlink(missing_ok=True)
    home.log.mkdir(parents=True)
    running.unexpected(ZeroDivisionError("on purpose"))
    report = running.app.property("crash")
    assert "ZeroDivisionError: on purpose" in report
    assert str(home.log) not in report
    assert report.startswith("LanUNO ")


def test_the_end_stops_the_thread_and_the_garbage_collector(
    qt: QGuiApplication, home: Home
) -> None:
    assert gc.isenabled()
    running = Running(home)
    assert not gc.isenabled()
    assert running.loop._thread.is_alive()
    running.close()
    assert not gc.isenabled()
    assert not running.loop._thread.is_alive()
    assert running.app.window is None
