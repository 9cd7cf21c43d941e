"""The settings, rules and history in the window, used by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtQuick import QQuickItem, QQuickWindow
from PySide6.QtTest import QTest

from lanuno.app.models.rows import Rows
from lanuno.app.running import Running
from lanuno.client.languages import languages
from lanuno.store.paths import Home
from tests.app.waiting import drawn, settle, until
from tests.harness.homes.played_games import keep, played
from tests.harness.log_table.log_table import LogTable


class Person:
    """A person who uses the window by mouse and keyboard."""

    def __init__(self, running: Running) -> None:
        self.app = running.app
        assert isinstance(running.window, QQuickWindow)
        self.window = running.window
        self.app.settings_controller.setProperty("motion", 0.0)
        until(self.window.isExposed)

    def goes(self, page: str) -> None:
        self.app.open(page)
        until(lambda: self._stack().property("depth") == 1 and not self._stack().property("busy"))
        settle()

    def _stack(self) -> QObject:
        return self.sees("stack")

    def sees(self, name: str) -> QQuickItem:
        """Return the visible item with this `objectName`."""
        below = [self.window.contentItem()]
        while below:
            item = below.pop()
            if item.isVisible():
                if item.objectName() == name:
                    return item
                below += item.childItems()
        raise AssertionError(f"{name} is not to be seen")

    def clicks(self, item: QQuickItem) -> None:
        area = self.window.findChild(QQuickItem, "area")
        if area is not None:
            top = item.mapToItem(area, QPointF(0, 0)).y()
            if not 0 <= top <= area.height() - item.height():
                most = area.property("contentHeight") - area.height()
                wanted = area.property("contentY") + top - area.height() / 2
                area.setProperty("contentY", max(0.0, min(most, wanted)))
        drawn(self.window)
        at = item.mapToScene(QPointF(item.width() / 2, item.height() / 2)).toPoint()
        none = Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(self.window, Qt.MouseButton.LeftButton, none, at)
        settle()

    def presses(self, *keys: Qt.Key) -> None:
        for key in keys:
            QTest.keyClick(self.window, key)
        settle()

    def types(self, text: str) -> None:
        for letter in text.upper():
            QTest.keyClick(self.window, Qt.Key(ord(letter)))
        settle()


def buttons(item: QQuickItem) -> Iterator[QQuickItem]:
    for child in item.childItems():
        if child.inherits("QQuickAbstractButton"):
            yield child
        yield from buttons(child)


@pytest.fixture
def person(running: Running) -> Person:
    return Person(running)


@pytest.mark.parametrize(
    ("name", "setting", "place", "value"),
    [
        ("language", "language", 1, languages()[0]),
        ("theme", "theme", 2, "dark"),
        ("textScale", "text_scale", 3, 1.3),
        ("motion", "motion", 1, 0.5),
        ("sorting", "sorting", 2, "value"),
        ("botSpeed", "bot_speed", 2, "fast"),
    ],
)
def test_one_of_several_is_chosen_by_mouse_and_by_keyboard(
    person: Person, name: str, setting: str, place: int, value: object
) -> None:
    person.goes("settings")
    choices = list(buttons(person.sees(name)))
    person.clicks(choices[place])
    assert getattr(person.app.settings_controller.values, setting) == value
    assert choices[place].property("checked")
    assert sum(bool(each.property("checked")) for each in choices) == 1
    choices[0].forceActiveFocus(Qt.FocusReason.TabFocusReason)
    person.presses(Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Return)
    assert getattr(person.app.settings_controller.values, setting) != value
    assert choices[0].property("checked")
    assert choices[0].hasActiveFocus()


def test_a_switch_is_changed_by_mouse_and_by_keyboard(person: Person) -> None:
    person.goes("settings")
    for name, setting in (
        ("hints", "hints"),
        ("slowClock", "slow_clock"),
        ("notifications", "notifications"),
        ("autoKeep", "auto_keep"),
        ("autoDraw", "auto_draw"),
        ("autoAccept", "auto_accept"),
    ):
        before = getattr(person.app.settings_controller.values, setting)
        person.clicks(person.sees(name))
        assert getattr(person.app.settings_controller.values, setting) is not before
        person.presses(Qt.Key.Key_Space)
        assert getattr(person.app.settings_controller.values, setting) is before


def test_the_name_is_kept_or_comes_back(person: Person) -> None:
    person.goes("settings")
    (field,) = _fields(person.sees("name"))
    person.clicks(field)
    QTest.keyClick(person.window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    person.types("ana")
    person.presses(Qt.Key.Key_Return)
    assert person.app.settings_controller.property("playerName") == "ana"
    QTest.keyClick(person.window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    person.presses(Qt.Key.Key_Delete, Qt.Key.Key_Return)
    assert person.app.settings_controller.property("playerName") == "ana"
    assert field.property("text") == "ana"


def _fields(item: QQuickItem) -> Iterator[QQuickItem]:
    for child in item.childItems():
        if child.inherits("QQuickTextField"):
            yield child
        yield from _fields(child)


def test_rules_are_chosen_and_searched(person: Person) -> None:
    person.goes("rules")
    person.clicks(person.sees("preset-duel"))
    assert person.app.rules_controller.property("preset") == "duel"
    (field,) = _fields(person.sees("search"))
    person.clicks(field)
    person.types("uno")
    assert person.app.rules_controller.property("search") == "uno"
    assert 0 < person.app.rules_controller.property("found") < 15
    person.presses(Qt.Key.Key_Escape)
    assert person.app.property("page") == "home"


@pytest.fixture(scope="module")
def table() -> LogTable:
    return played(7)


def test_a_game_is_deleted_only_after_a_question(
    person: Person, home: Home, table: LogTable, until_read: Callable[[], None]
) -> None:
    path = keep(home, table)
    person.goes("history")
    until_read()
    question = person.window.findChild(QObject, "asking")
    assert question is not None

    def asks(wanted: bool) -> None:
        until(lambda: question.property("opened") == question.property("visible") == wanted)

    person.clicks(person.sees("delete"))
    asks(True)
    assert person.app.history_controller.property("removing") == table.genesis.table_id.hex()
    person.clicks(person.sees("keep"))
    asks(False)
    assert person.app.history_controller.property("removing") == ""
    person.clicks(person.sees("delete"))
    asks(True)
    person.presses(Qt.Key.Key_Escape)
    asks(False)
    assert (person.app.history_controller.property("removing"), path.exists()) == ("", True)
    person.clicks(person.sees("delete"))
    asks(True)
    person.clicks(person.sees("reallyDelete"))
    until(lambda: not path.exists())
    until(lambda: person.app.history_controller.property("empty"))


def test_a_game_opens_in_the_verifier(
    person: Person, home: Home, table: LogTable, until_read: Callable[[], None]
) -> None:
    keep(home, table)
    person.goes("history")
    until_read()
    person.clicks(person.sees("game"))
    assert person.app.property("page") == "verifier"
    until(lambda: person.app.verifier_controller.property("conclusion") == "verified")


@pytest.fixture
def until_read(person: Person) -> Callable[[], None]:
    def wait() -> None:
        games = person.app.history_controller.property("games")
        assert isinstance(games, Rows)
        until(lambda: games.rows)
        settle()

    return wait
