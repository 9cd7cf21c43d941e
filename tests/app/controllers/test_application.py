"""Tests of the window, its pages, its notices, and the settings."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from lanuno.app.controllers import application
from lanuno.app.running import Running
from lanuno.bots.pace import BotPace
from lanuno.client.session import TableSession
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.settings import load_settings
from tests.app.waiting import until


def test_the_window_opens_on_the_first_page(running: Running) -> None:
    assert running.app.property("page") == "home"
    stack = running.window.findChild(QObject, "stack")
    assert stack is not None
    assert stack.property("depth") == 1
    until(running.window.isExposed)


def test_pages_and_back(running: Running) -> None:
    app = running.app
    app._pages = ["home", "rules", "settings"]
    app.blockSignals(True)  # some of these pages have no screen here
    assert not app.property("canGoBack")
    app.open("settings")
    app.open("rules")
    app.open("nothing")
    assert (app.property("page"), app.property("canGoBack")) == ("rules", True)
    app.open("settings")
    app.back()
    assert app.property("page") == "home"
    app.back()
    assert app.property("page") == "home"
    app.blockSignals(False)


def test_notices_are_announced_and_not_repeated(running: Running) -> None:
    heard: list[tuple[str, bool]] = []
    running.app.announced.connect(lambda text, urgent: heard.append((text, urgent)))
    running.app.notice("one")
    running.app.notice("two", "error")
    running.app.notice("one")
    notices = running.app._notices
    assert [row.text for row in notices.rows] == ["two", "one"]
    assert heard == [("one", False), ("two", True), ("one", False)]
    running.app.dismiss(notices.rows[0].id)
    assert [row.text for row in notices.rows] == ["one"]


def test_leaving_is_asked_about_only_where_somebody_minds(running: Running) -> None:
    app, left = running.app, []
    app.leaving.connect(lambda: left.append("leaving"))
    app.ask_to_leave(lambda: left.append("then"))
    assert left == ["leaving", "then"]
    app.set_leave_question(lambda: "the others wait")
    app.ask_to_leave(lambda: left.append("again"))
    assert app.property("leaveQuestion") == "the others wait"
    app.cancelLeave()
    app.ask_to_leave(lambda: left.append("really"))
    app.confirmLeave()
    assert left == ["leaving", "then", "leaving", "really"]
    assert app.property("leaveQuestion") == ""


@pytest.mark.logs_warnings
def test_settings_take_effect_and_last(opened: Callable[[], Running], home: Home) -> None:
    running = opened()
    settings = running.app.settings_controller
    changed: list[str] = []
    for name in ("theme", "textScale", "motion", "avatar", "sorting"):
        getattr(settings, f"{name}Changed").connect(lambda name=name: changed.append(name))
    for name, value in (
        ("theme", "dark"),
        ("textScale", 1.3),
        ("motion", 0.0),
        ("avatar", 4),
        ("sorting", "value"),
        ("playerName", "  Ana "),
    ):
        assert settings.setProperty(name, value)
    settings.setProperty("theme", "dark")
    assert changed == ["theme", "textScale", "motion", "avatar", "sorting"]
    assert settings.property("dark")
    settings.setProperty("theme", "pink")
    running.app.settings_controller.save_if_changed()
    assert settings.property("theme") == "dark"
    kept = load_settings(home)
    assert (kept.theme, kept.text_scale, kept.motion) == ("dark", 1.3, 0.0)
    assert load_profile(home).name == "Ana"
    assert opened().app.settings_controller.property("sorting") == "value"


def test_a_name_that_cannot_be_shown_is_told(running: Running) -> None:
    before = running.app.settings_controller.property("playerName")
    running.app.settings_controller.setProperty("playerName", "\u202e")
    assert running.app.settings_controller.property("playerName") == before
    assert running.app._notices.rows[0].kind == "error"


def test_damaged_settings_are_told_and_set_aside(opened: Callable[[], Running], home: Home) -> None:
    home.create()
    home.settings.write_text('{"theme": "pink", "avatar": 3}')
    running = opened()
    assert "damaged" in running.app._notices.rows[0].text
    running.app.settings_controller.setProperty("theme", "dark")
    running.app.settings_controller.save()
    kept = load_settings(home)
    assert (kept.theme, kept.avatar) == ("dark", 3)
    aside = home.settings.with_name("settings.json.aside0")
    assert aside.read_text() == '{"theme": "pink", "avatar": 3}'


def test_the_language_changes_at_once(running: Running) -> None:
    settings, again = running.app.settings_controller, []
    running.app.retranslated.connect(lambda: again.append(settings.property("spoken")))
    settings.setProperty("language", "es")
    settings.setProperty("language", "en")
    assert again == ["es", "en"]


def test_diagnostics_go_to_the_clipboard(running: Running, home: Home) -> None:
    running.app.settings_controller.copyDiagnostics()
    text = QGuiApplication.clipboard().text()
    assert "PySide6" in text
    assert json.loads(text.partition("settings: ")[2].splitlines()[0])["theme"] == "system"
    assert f"log: {home.log}\nlog can be written: yes" in text


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


def test_closing_the_window_ends_the_program(running: Running) -> None:
    ended: list[bool] = []
    running.app.ended.connect(lambda: ended.append(True))
    running.window.close()
    until(lambda: ended)


def test_the_program_ends_though_the_table_does_not(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_session: TableSession) -> None:
        await asyncio.Event().wait()

    ended: list[bool] = []
    monkeypatch.setattr(TableSession, "_leave_table", never)
    monkeypatch.setattr(application, "LEAVE_MS", 100)
    running.app.ended.connect(lambda: ended.append(True))
    running.app.session_controller.pace = BotPace(move=60.0, uno=0.0)
    running.app.home_controller.practise(1)
    until(lambda: running.app.session_controller.game_file)
    running.app.end()
    until(lambda: ended)
    assert running.app.session_controller.session is not None
