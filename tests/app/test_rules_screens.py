"""House rules by mouse and keyboard: toggles do not move under the pointer, and rules are saved."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtQuick import QQuickWindow

from lanuno.app.running import Running
from lanuno.store.rule_sets import load_rule_sets
from tests.app.network import shows_page
from tests.app.pictures import scenes_entry
from tests.app.pictures.scene import View
from tests.app.user_input import click, dismiss, find, keyboard_at, press, write
from tests.app.waiting import drawn, settle, until

VIEW = View()


@pytest.fixture
def window(running: Running, window: QQuickWindow) -> QQuickWindow:
    """The window, with tables on loopback alone."""
    running.app.settings_controller.change("adapter", "lo")
    return window


def sheet_shows(window: QQuickWindow, open_: bool) -> bool:
    sheet = window.findChild(QObject, "rulesSheet")
    return sheet is not None and bool(sheet.property("holding")) is open_


def test_a_toggle_stays_under_the_pointer(running: Running, window: QQuickWindow) -> None:
    """A click on a toggle adds to the list of changes without moving the toggle."""
    click(window, "host")
    area = find(window, "area")
    area.setProperty("contentY", 400.0)
    toggle = find(window, "rule-stack_wild_four")

    def height() -> float:
        drawn(window)
        return toggle.mapToScene(QPointF(0, 0)).y()

    before = height()
    for _ in range(2):
        click(window, "rule-stack_wild_four")
        assert height() == before
    click(window, "rule-stack_wild_four")
    assert running.app.host_controller.property("rulesTitle") == "Classic + 1 house rule"
    assert height() == before


def test_rules_are_saved_by_keyboard_and_chosen_by_mouse(
    running: Running, window: QQuickWindow
) -> None:
    host = running.app.host_controller
    host.set("jump_in", 1)
    click(window, "host")
    find(window, "area").setProperty("contentY", 300.0)
    click(window, "keepRules")
    until(lambda: keyboard_at(window) == "rulesName")
    write(window, "CLASSIC")
    press(window, Qt.Key.Key_Return)
    assert load_rule_sets(running.app.home_folders) == ()
    for _ in range(7):
        press(window, Qt.Key.Key_Backspace)
    write(window, "Friday")
    press(window, Qt.Key.Key_Return)
    assert [each.name for each in load_rule_sets(running.app.home_folders)] == ["Friday"]
    presets = find(window, "presets")
    for top, name, title in (
        (350.0, "preset-express", "Express"),
        (0.0, "saved-Friday", "Classic + 1 house rule"),
    ):
        presets.setProperty("contentY", top)
        click(window, name)
        assert host.property("rulesTitle") == title
    # In the menu of a rule set, rename is the first entry and delete the last.
    click(window, "savedMenu")
    press(window, Qt.Key.Key_Return)
    until(lambda: keyboard_at(window) == "rulesName")
    press(window, Qt.Key.Key_End)
    write(window, "s")
    press(window, Qt.Key.Key_Return)
    assert [each.name for each in host._saved.rows] == ["Fridays"]
    click(window, "savedMenu")
    press(window, Qt.Key.Key_Up)
    press(window, Qt.Key.Key_Return)
    assert host._saved.rows == ()


def test_the_list_of_rules_is_one_click_away_everywhere(
    running: Running, window: QQuickWindow
) -> None:
    scenes_entry.found(running, VIEW)
    settle()
    click(window, "tableRules")
    until(partial(sheet_shows, window, True))
    # The Tab key moves from one rule to the next.
    assert keyboard_at(window) == "closeRules"
    sheet = window.findChild(QObject, "rulesSheet")
    assert sheet is not None
    rules = list(sheet.property("sentences"))
    assert len(rules) > 1
    reached = []
    for _ in rules:
        press(window, Qt.Key.Key_Tab)
        reached.append(window.activeFocusItem().property("modelData"))
    assert reached == rules
    dismiss(window)
    scenes_entry.house_rules(running, VIEW)
    settle()
    click(window, "houseRules")
    dismiss(window)
    assert shows_page(running.app, "host")


def test_a_host_changes_the_rules_of_its_waiting_room(
    running: Running, window: QQuickWindow
) -> None:
    app = running.app
    click(window, "host")
    click(window, "begin")
    until(lambda: shows_page(running.app, "room") and app.room_controller.property("link"))
    click(window, "rules")
    click(window, "changeRules")
    assert (app.property("page"), app.host_controller.property("editing")) == ("host", True)
    find(window, "area").setProperty("contentY", 100.0)
    click(window, "rule-stack_draw_two")
    click(window, "begin")
    until(partial(shows_page, running.app, "room"))
    assert app.room_controller.property("rulesTitle") == "Classic + 1 house rule"
    click(window, "rules")
    click(window, "readRules")
    assert shows_page(running.app, "rules")
    app.session_controller.leave()
    until(lambda: app.session_controller.session is None)
