"""The first page, opening and joining a table, the waiting room, and the sheets over all pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import structs
from msgspec.structs import replace
from PySide6.QtCore import QMetaObject, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QKeySequence, QWindow
from PySide6.QtQuick import QQuickItem, QQuickWindow
from PySide6.QtTest import QTest

from lanuno.app.controllers.application import Application
from lanuno.app.running import Running
from lanuno.bots.pace import BotPace
from lanuno.client.find import DiscoveredTable, DiscoveredTables
from tests.app.pictures import scenes_entry, scenes_links
from tests.app.pictures.scene import View
from tests.app.user_input import click, dismiss, drop, find, hold, keyboard_at, press, write
from tests.app.waiting import drawn, settle, until

VIEW = View()


def test_practice_is_two_clicks_away(running: Running, window: QQuickWindow) -> None:
    running.app.session_controller.bot_pace = BotPace(move=60.0, uno=0.0)
    click(window, "practiceBots", right=0.1)
    assert running.app.settings_controller.property("practiceBots") == 2
    click(window, "practice")
    assert running.app.property("page") == "table"
    click(window, "safety")
    until(lambda: keyboard_at(window) == "safetyClose")
    assert find(window, "safetyHand").isVisible()
    dismiss(window)
    press(window, Qt.Key.Key_Escape)
    assert running.app.property("leaveQuestion") != ""
    until(lambda: keyboard_at(window) == "cancelLeave")
    dismiss(window)
    assert running.app.property("leaveQuestion") == ""
    assert running.app.property("page") == "table"
    press(window, Qt.Key.Key_Escape)
    click(window, "confirmLeave")
    assert running.app.property("page") == "home"
    until(lambda: running.app.session_controller.session is None)


def test_a_question_keeps_the_keyboard_when_the_page_below_changes(
    running: Running, window: QQuickWindow
) -> None:
    running.app.set_leave_question(lambda: "the others wait")
    running.app.ask_to_leave(lambda: None)
    until(lambda: keyboard_at(window) == "cancelLeave")
    running.app.reset_to("host")
    begin = anywhere(window, "begin")
    begin.forceActiveFocus()
    assert keyboard_at(window) == "begin"
    until(lambda: keyboard_at(window) == "cancelLeave")
    press(window, Qt.Key.Key_Tab)
    assert keyboard_at(window) == "confirmLeave"
    running.app.confirmLeave()


def test_a_question_that_was_taken_back_is_not_answered_while_it_fades(
    running: Running, window: QQuickWindow
) -> None:
    """A late click on its button has no effect: the player has not read the new question."""
    question, left = ["the others wait"], list[bool]()
    running.app.settings_controller.change("motion", 1.0)
    running.app.set_leave_question(lambda: question[0])
    running.app.leaving.connect(lambda: left.append(True))
    running.app.ask_to_leave(lambda: None)
    sheet = window.findChild(QObject, "leaveSheet")
    assert sheet is not None
    until(lambda: sheet.property("holding"))
    question[0] = "the others lose"
    button = find(window, "confirmLeave")
    running.app.recheck_question()
    # The button still works. A mouse click could be too late here on a slow machine.
    assert sheet.property("visible")
    QMetaObject.invokeMethod(button, "click")
    assert not left
    until(lambda: not sheet.property("visible"))


def test_a_question_has_the_keyboard_at_once_and_moves_it_no_more(
    running: Running, window: QQuickWindow
) -> None:
    left: list[bool] = []
    running.app.settings_controller.change("motion", 1.0)
    running.app.set_leave_question(lambda: "the others wait")
    running.app.ask_to_leave(lambda: left.append(True))
    assert keyboard_at(window) == "cancelLeave"
    press(window, Qt.Key.Key_Tab)
    assert keyboard_at(window) == "confirmLeave"
    sheet = window.findChild(QObject, "leaveSheet")
    assert sheet is not None
    until(lambda: sheet.property("holding"))
    press(window, Qt.Key.Key_Return)
    assert left == [True]


def test_a_table_is_open_after_two_clicks(running: Running, window: QQuickWindow) -> None:
    app = running.app
    click(window, "host")
    assert (app.property("page"), keyboard_at(window)) == ("host", "begin")
    click(window, "begin")
    until(lambda: app.property("page") == "room" and app.room_controller.property("link"))
    find(window, "qr")
    click(window, "addBot")
    until(lambda: app.room_controller.property("taken") == 2)
    click(window, "seatMenu")
    dismiss(window)
    assert app.property("page") == "room"
    click(window, "seatMenu")
    press(window, Qt.Key.Key_Up)
    press(window, Qt.Key.Key_Return)
    until(lambda: app.room_controller.property("taken") == 1)
    click(window, "say")
    write(window, "hello")
    press(window, Qt.Key.Key_Return)
    until(lambda: app.chat_controller._lines.rowCount() == 1)
    click(window, "copyCode")
    assert QGuiApplication.clipboard().text() == app.room_controller.property("code")
    press(window, Qt.Key.Key_Escape)
    # A question prevents a table from being closed by accident.
    until(lambda: app.property("leaveQuestion"))
    assert app.property("page") == "room"
    press(window, Qt.Key.Key_Escape)
    until(lambda: not app.property("leaveQuestion"))
    assert app.property("page") == "room"
    press(window, Qt.Key.Key_Escape)
    until(lambda: app.property("leaveQuestion"))
    app.confirmLeave()
    until(lambda: app.property("page") == "home")
    until(lambda: app.session_controller.session is None)


class Away:
    """A table session, and a bridge to it, that record who is sent away and let in."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bytes]] = []

    async def send_away(self, identity: bytes) -> bool:
        self.asked.append(("away", identity))
        return True

    async def let_in(self, identity: bytes) -> None:
        self.asked.append(("in", identity))

    def run(self, work: Any, done: Callable[[Any], None] = lambda _: None) -> None:
        done(asyncio.run(work))


@pytest.mark.parametrize("when", ["button", "list", "entry"])
def test_sending_away_is_about_the_person_shown_when_the_mouse_went_down(
    running: Running, window: QQuickWindow, when: str
) -> None:
    app, away = running.app, Away()
    scenes_entry.room(running, VIEW)
    app.chat_controller.session, app.chat_controller._bridge = cast(Any, away), cast(Any, away)
    state = app.room_controller.state
    assert state is not None
    ana, ben, cleo = state.seats
    settle()

    def change() -> None:
        """Exchange Ben and Cleo, who sit in the seats 1 and 2."""
        app.room_controller.show(structs.replace(state, seats=(ana, cleo, ben)))
        settle()

    def click_while_changing(name: str, changing: bool) -> None:
        if not changing:
            click(window, name)
            return
        release = hold(window, name)
        change()
        release()

    click_while_changing("seatMenu", when == "button")
    if when == "list":
        change()
    # Move up, hide messages, send away; Ben, who is ready, keeps his seat.
    click_while_changing("entry2", when == "entry")
    assert away.asked == [("away", ben.identity)]
    assert app.chat_controller.property("sentAway") == [
        {"key": ben.identity.hex(), "name": ben.name}
    ]
    click(window, "letIn")
    assert away.asked[1:] == [("in", ben.identity)]
    assert app.chat_controller.property("sentAway") == []


def _turned(item: QQuickItem) -> list[float]:
    """Return how far each card in this item is turned over; 1: it lies face up."""
    here = [item.property("turned")] if item.property("faceUp") is not None else []
    return here + [each for below in item.childItems() for each in _turned(below)]


@pytest.mark.parametrize("motion", [0.0, 1.0])
def test_the_safety_hand_turns_over_and_goes_on_with_a_click(
    running: Running, window: QQuickWindow, motion: float
) -> None:
    """With reduced motion, it is simply there."""
    running.app.settings_controller.change("motion", motion)
    scenes_entry.room_comparing(running, VIEW)
    room = running.app.room_controller
    gone_on: list[bool] = []
    room.compared.connect(lambda: gone_on.append(True))
    until(lambda: keyboard_at(window) == "goOn")
    sheet = window.findChild(QObject, "comparingSheet")
    assert sheet is not None
    content = sheet.property("contentItem")
    until(lambda: _turned(content) == [1.0] * 8)
    click(window, "goOn")
    assert gone_on == [True]
    assert not room.property("comparing")
    # What was meant for the sheet acts on nothing that has taken its place, for a moment.
    shield = window.findChild(QQuickItem, "shield")
    assert shield is not None
    assert shield.isVisible()
    screen, moves = find(window, "tableScreen"), find(window, "log")
    before = screen.property("beside")
    click(window, "log")
    moves.forceActiveFocus(Qt.FocusReason.TabFocusReason)
    press(window, Qt.Key.Key_Return)
    assert screen.property("beside") == before
    until(lambda: not shield.isVisible())
    press(window, Qt.Key.Key_Return)
    assert screen.property("beside") != before


def test_house_rules_are_set_and_taken_back(running: Running, window: QQuickWindow) -> None:
    host = running.app.host_controller
    click(window, "host")
    click(window, "preset-deck112")
    assert host.property("preset") == "deck112"
    assert not anywhere(window, "resetRules").isEnabled()
    rule = anywhere(window, "rule-seven_zero")
    rule.forceActiveFocus(Qt.FocusReason.TabFocusReason)
    settle()
    click(window, "rule-seven_zero", right=0.97)
    assert host.property("rulesChanged")
    reset = anywhere(window, "resetRules")
    reset.forceActiveFocus(Qt.FocusReason.TabFocusReason)
    press(window, Qt.Key.Key_Return)
    assert not host.property("rulesChanged")
    assert rule.property("checked") is False
    press(window, Qt.Key.Key_Escape)
    assert running.app.property("page") == "home"


def test_the_button_that_opens_a_table_leads_to_what_is_wrong(
    running: Running, window: QQuickWindow
) -> None:
    host = running.app.host_controller
    click(window, "host")
    host.setProperty("seats", 10)
    host.set("hand_size", 20)
    click(window, "begin")
    field = find(window, "rule-hand_size")
    area = field.mapRectToScene(QRectF(0, 0, field.width(), field.height()))
    assert QRectF(0, 0, window.width(), find(window, "begin").mapToScene(QPointF()).y()).contains(
        area
    )
    host.setProperty("pin", "\u202e")
    click(window, "begin")
    assert keyboard_at(window) == "pin"
    assert find(window, "pin").property("fault") == host.property("problem")
    assert running.app.property("page") == "host"


def test_the_chosen_rulebook_is_in_view(running: Running, window: QQuickWindow) -> None:
    running.app.host_controller.choosePreset("tournament")
    click(window, "host")
    area, row = find(window, "presets"), find(window, "preset-tournament")
    drawn(window)
    settle()
    whole = row.mapRectToItem(area, row.boundingRect())
    assert QRectF(0, 0, area.width(), area.height()).contains(whole)


def test_a_page_does_not_move_as_the_window_becomes_active(
    running: Running, window: QQuickWindow
) -> None:
    """A click that makes the window active meets the control that was under the pointer."""
    click(window, "host")
    find(window, "seats").forceActiveFocus(Qt.FocusReason.TabFocusReason)
    settle()
    area = find(window, "area")
    area.setProperty("contentY", 300)
    other = QWindow()
    other.show()
    other.requestActivate()
    until(lambda: not window.isActive())
    window.requestActivate()
    until(window.isActive)
    assert area.property("contentY") == 300


def test_what_is_wrong_with_a_code_is_said_below_it(running: Running, window: QQuickWindow) -> None:
    click(window, "join")
    assert keyboard_at(window) == "where"
    write(window, "R2M-025-02")
    assert running.app.join_controller.property("problem").startswith("This is neither a link")
    assert not find(window, "sitDown").isEnabled()
    write(window, "5")
    assert find(window, "sitDown").isEnabled()
    QGuiApplication.clipboard().setText(" 10.0.0.1:47474 ")
    click(window, "paste")
    assert running.app.join_controller.property("text") == "10.0.0.1:47474"


def test_no_message_moves_the_fields_of_the_way_in(running: Running, window: QQuickWindow) -> None:
    def places() -> list[QPointF]:
        settle()
        return [find(window, name).mapToScene(QPointF()) for name in ("where", "pin", "sitDown")]

    running.app.open("join")
    before = places()
    for scene in (scenes_entry.join_wrong, scenes_entry.join_failed):
        scene(running, VIEW)
        assert places() == before
    visiting = running.app.home_controller._visiting
    visiting.error, visiting.pin_wanted = "This table needs a PIN. Ask the host for it.", "here"
    visiting.changed.emit()
    assert places() == before


def test_an_error_of_the_way_in_is_scrolled_into_view(
    running: Running, window: QQuickWindow
) -> None:
    running.app.settings_controller.change("text_scale", 1.5)
    running.app.open("join")
    scenes_entry.join_failed(running, VIEW)
    area, error = find(window, "area"), find(window, "error")
    until(lambda: error.height() > 100)
    settle()
    drawn(window)
    whole = error.mapRectToItem(area, error.boundingRect())
    assert QRectF(0, 0, area.width(), area.height()).contains(whole)


def test_a_link_is_answered_by_its_buttons_or_esc_once_it_can_have_been_read(
    running: Running, window: QQuickWindow
) -> None:
    """Clicks and keys just after it opens do not count, because they may be meant for the page."""
    asked = running.app.invitation_controller
    asked._ready_timer.setInterval(10**6)
    asked.ask(scenes_links.PUBLIC)
    until(lambda: keyboard_at(window) == "linkFacts")
    assert not find(window, "followLink").isEnabled()
    keys = (Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Enter)
    for key in keys:
        press(window, key)
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert asked.property("asking")
    asked._ready_timer.setInterval(0)
    asked.application_state_changed(Qt.ApplicationState.ApplicationActive)
    until(lambda: asked.property("ready"))
    # No button has the keyboard focus, so that a key pressed early answers nothing.
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Enter):
        press(window, key)
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert asked.property("asking")
    places = []
    for _ in range(3):
        press(window, Qt.Key.Key_Tab)
        places.append(keyboard_at(window))
    assert sorted(places) == ["followLink", "forgetLink", "linkFacts"]
    accessible = QAccessible.queryAccessibleInterface(find(window, "linkFacts"))
    said = accessible.text(QAccessible.Text.Name)
    assert "203.0.113.7" in said
    assert asked.property("near") in said
    press(window, Qt.Key.Key_Escape)
    assert not asked.property("asking")
    until(lambda: keyboard_at(window) not in ("linkFacts", "linkSheet"))
    assert running.app.property("page") == "home"
    assert running.app.session_controller.session is None

    asked.ask(scenes_links.PUBLIC)
    until(lambda: asked.property("ready"))
    # A crash report opens above the question, which is still open afterwards.
    running.unexpected(ZeroDivisionError("on purpose"))
    until(lambda: keyboard_at(window) == "copyCrash")
    running.app.dismissCrash()
    until(lambda: keyboard_at(window) == "linkFacts")
    click(window, "forgetLink")
    assert not asked.property("asking")


def test_a_pin_is_asked_for_and_can_be_refused(running: Running, window: QQuickWindow) -> None:
    scenes_entry.pin(running, VIEW)
    until(lambda: keyboard_at(window) == "pin")
    assert not find(window, "givePin").isEnabled()
    write(window, "12")
    assert find(window, "givePin").isEnabled()
    press(window, Qt.Key.Key_Escape)
    until(lambda: running.app.home_controller.property("pinWanted") == "")
    assert running.app.property("page") == "home"


def test_a_newcomer_is_asked_nothing_but_may_say_who_they_are(
    running: Running, window: QQuickWindow
) -> None:
    settings = running.app.settings_controller
    assert settings.property("newcomer")
    settings.setProperty("avatar", 0)
    click(window, "playerName")
    find(window, "avatarPicker").forceActiveFocus()
    press(window, Qt.Key.Key_Right)
    assert settings.property("avatar") == 1
    click(window, "playerName")
    for _ in range(40):
        press(window, Qt.Key.Key_Backspace)
    write(window, "Begonia")
    press(window, Qt.Key.Key_Return)
    assert settings.property("playerName") == "Begonia"
    assert not settings.property("newcomer")
    click(window, "me")
    until(lambda: keyboard_at(window) == "playerName")
    click(window, "meDone")
    until(lambda: keyboard_at(window) != "playerName")


def typed(window: QQuickWindow) -> tuple[str, str]:
    """Return the text of the name field, and the error shown for it."""
    field = find(window, "playerName")
    return field.property("text"), field.property("fault")


def test_a_name_is_limited_where_it_is_typed_and_enter_takes_it(
    running: Running, window: QQuickWindow
) -> None:
    settings = running.app.settings_controller
    settings.setProperty("playerName", "Ana")
    settings.met()
    click(window, "me")
    until(lambda: keyboard_at(window) == "playerName")
    press(window, Qt.Key.Key_End)
    write(window, "x" * 17)
    assert typed(window) == ("Ana" + "x" * 17, "")
    write(window, "y")
    limit = "A name has at most 20 letters (of some scripts fewer)."
    assert typed(window) == ("Ana" + "x" * 17, limit)
    # At the start of the name, too, only the new letter is refused.
    press(window, Qt.Key.Key_Home)
    write(window, "z")
    assert typed(window) == ("Ana" + "x" * 17, limit)
    press(window, Qt.Key.Key_Delete)
    assert typed(window) == ("na" + "x" * 17, "")
    QGuiApplication.clipboard().setText("1234567")
    QTest.keySequence(window, QKeySequence.StandardKey.Paste)
    assert typed(window) == ("1na" + "x" * 17, limit)
    press(window, Qt.Key.Key_Return)
    until(lambda: keyboard_at(window) != "playerName")
    assert settings.property("playerName") == "1na" + "x" * 17


def test_an_invalid_name_keeps_the_sheet_open_and_shows_the_reason(
    running: Running, window: QQuickWindow
) -> None:
    settings = running.app.settings_controller
    settings.setProperty("playerName", "Ana")
    settings.met()
    click(window, "me")
    until(lambda: keyboard_at(window) == "playerName")
    QGuiApplication.clipboard().setText("\u202eanA")
    QTest.keySequence(window, QKeySequence.StandardKey.SelectAll)
    QTest.keySequence(window, QKeySequence.StandardKey.Paste)
    press(window, Qt.Key.Key_Return)
    assert typed(window)[1].startswith("This name cannot be shown to others")
    assert keyboard_at(window) == "playerName"
    # An empty field keeps the old name.
    QTest.keySequence(window, QKeySequence.StandardKey.SelectAll)
    press(window, Qt.Key.Key_Delete)
    press(window, Qt.Key.Key_Return)
    assert typed(window) == ("Ana", "")
    press(window, Qt.Key.Key_Return)
    until(lambda: keyboard_at(window) != "playerName")
    assert settings.property("playerName") == "Ana"


def test_tables_come_and_go_and_the_keyboard_reaches_them(
    running: Running, window: QQuickWindow
) -> None:
    scenes_entry.nothing(running, VIEW)
    settle()
    click(window, "hostYourself")
    assert running.app.property("page") == "host"
    scenes_entry.found(running, VIEW)
    press(window, Qt.Key.Key_Escape)
    assert (running.app.property("page"), keyboard_at(window)) == ("home", "table")
    press(window, Qt.Key.Key_Tab)
    assert keyboard_at(window) == "tableRules"
    press(window, Qt.Key.Key_Tab)
    assert keyboard_at(window) == "watch"
    press(window, Qt.Key.Key_Left)
    assert keyboard_at(window) == "host"
    ways = [
        (Qt.Key.Key_Down, "practice"),
        (Qt.Key.Key_Right, "practiceBots"),
        (Qt.Key.Key_Backtab, "practice"),
        (Qt.Key.Key_Down, "join"),
        (Qt.Key.Key_Down, "verifier"),
        (Qt.Key.Key_Right, "history"),
        (Qt.Key.Key_Up, "join"),
    ]
    for key, there in ways:
        press(window, key)
        assert keyboard_at(window) == there


def test_rows_stay_where_they_are_under_the_pointer(running: Running, window: QQuickWindow) -> None:
    scenes_entry.found(running, VIEW)
    settle()
    home = running.app.home_controller
    tables = home._found.tables
    row = find(window, "table")
    place = row.mapToScene(QPointF(row.width() / 2, row.height() / 2))

    def show(*shown: DiscoveredTable) -> list[str]:
        home._found = DiscoveredTables(shown, listening=True)
        home._show_tables()
        settle()
        return [each.name for each in home._tables.rows]

    names = [each.name for each in home._tables.rows]
    QTest.mouseMove(window, place.toPoint())
    settle()
    newer = replace(tables[0], key="newer", id=bytes(16), name="A newer one")
    assert show(newer, *tables) == [*names, "A newer one"]
    assert show(newer, *tables[1:]) == [*names, "A newer one"]
    assert find(window, "table").mapToScene(QPointF()).y() + row.height() / 2 == place.y()
    assert not find(window, "table").isEnabled(), "what has gone can only be read"
    QTest.mouseMove(window, QPoint(5, 5))
    settle()
    assert show(newer, *tables[1:]) == ["A newer one", *names[1:]]


def test_what_was_said_goes_by_itself_but_errors_stay(
    running: Running, window: QQuickWindow
) -> None:
    notices = window.findChild(QObject, "notices")
    assert notices is not None
    notices.setProperty("lasts", 1)
    running.app.notice("a good one", "good")
    running.app.notice("a bad one", "error")
    until(lambda: len(running.app._notices.rows) == 1)
    assert running.app._notices.rows[0].text == "a bad one"
    click(window, "dismiss")
    assert running.app._notices.rows == ()


@pytest.mark.logs_warnings
def test_a_mistake_of_the_program_is_told_and_copied(
    running: Running, window: QQuickWindow
) -> None:
    running.unexpected(ZeroDivisionError("on purpose"))
    until(lambda: keyboard_at(window) == "copyCrash")
    press(window, Qt.Key.Key_Return)
    assert "on purpose" in QGuiApplication.clipboard().text()
    click(window, "dismissCrash")
    assert running.app.property("crash") == ""


def test_help_lies_over_the_page(running: Running, window: QQuickWindow) -> None:
    click(window, "join")
    press(window, Qt.Key.Key_F1)
    sheet = window.findChild(QObject, "keyHelp")
    assert sheet is not None
    until(lambda: sheet.property("holding"))
    dismiss(window)
    assert running.app.property("page") == "join"
    press(window, Qt.Key.Key_Escape)
    assert running.app.property("page") == "home"


def test_a_game_dropped_on_any_page_is_checked(
    running: Running, window: QQuickWindow, tmp_path: Path
) -> None:
    file = tmp_path / "game.lanuno"
    file.write_bytes(b"no game")
    running.app.open("join")
    settle()
    drop(window, file)
    assert running.app.property("page") == "verifier"
    until(lambda: running.app.verifier_controller.property("state") == "done")
    assert running.app.verifier_controller.property("conclusion") == "unreadable"


def anywhere(window: QQuickWindow, name: str) -> QQuickItem:
    """Return the item with this `objectName`, even if it is scrolled out of sight."""
    pending = [window.contentItem()]
    while pending:
        item = pending.pop()
        if item.objectName() == name and item.isVisible():
            return item
        pending += item.childItems()
    raise AssertionError(name)


def test_of_tables_of_one_name_the_page_shows_the_keys(app: Application) -> None:
    def seen(number: int, name: str, key: str) -> DiscoveredTable:
        place = ("192.0.2.1",)
        return DiscoveredTable(
            key=str(number), id=bytes(16), fingerprint=key, addresses=place, port=1, name=name
        )

    tables = (seen(0, "Kitchen", "a" * 32), seen(1, "Kitchen", "b" * 32), seen(2, "Hall", "c" * 32))
    app.home_controller._found = DiscoveredTables(tables)
    app.home_controller._show_tables()
    rows = app.home_controller._tables.rows
    assert ["a" * 10 in rows[0].text, "b" * 10 in rows[1].text] == [True, True]
    assert "b" * 10 in rows[1].accessible_name
    assert "c" * 10 not in rows[2].text
