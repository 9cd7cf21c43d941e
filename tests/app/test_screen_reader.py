"""Announcements for blind players, and the keys that repeat them."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtQuick import QQuickWindow
from PySide6.QtTest import QTest

from lanuno.app.controllers.application import Application
from lanuno.app.running import Running
from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.engine.actions import Draw, Keep, Play
from tests.app.announcements import announced
from tests.app.pictures import scenes_table as scenes
from tests.app.pictures.tables import Simulated
from tests.app.user_input import click, dismiss, find, keyboard_at, press, write
from tests.app.waiting import settle, until


@pytest.fixture
def heard(app: Application) -> list[str]:
    """The announcements of an app without a window."""
    app.settings_controller.change("language", "en")
    return announced(app)


def test_what_happened_since_the_last_turn_can_be_read_again(
    app: Application, heard: list[str]
) -> None:
    table = app.table_controller
    game = Simulated(4, seed=3, names=("Ana", "Ben", "Cleo", "Dan")).my_turn()
    table.receive(game.seen())
    act = next(each for each in game.own.legal if isinstance(each, Draw | Play))
    game.act(act)
    while game.own.decider == 0:
        game.act(next(each for each in game.own.legal if isinstance(each, Keep)))
    table.receive(game.seen())
    assert table.property("since") == "Nothing has happened since your last turn"
    game.until(lambda seen: seen.decider == 0)
    table.receive(game.seen())
    since = table.property("since")
    assert since.startswith("Since your last turn: \u2068Ben\u2069 ")
    assert "\u2068Ana\u2069 plays" not in since
    lines = [each.text for each in table._moves.rows]
    told = since.removeprefix("Since your last turn: ").split(". ")
    assert told == lines[-len(told) :]
    heard.clear()
    table.tellAgain()
    assert heard == [f"{since}. {table.property('topText')}. {table.property('prompt')}"]
    # The next table reports nothing of this one.
    table.clear()
    assert table.property("since") == ""


def test_a_spectator_has_no_last_turn(app: Application) -> None:
    game = Simulated(3, seed=3, mine=None).until(lambda seen: len(seen.discards) > 4)
    app.table_controller.receive(game.seen())
    assert app.table_controller._moves.rows
    assert app.table_controller.property("since") == ""


def test_everything_that_happens_at_once_is_announced(app: Application, heard: list[str]) -> None:
    game = Simulated(10, seed=3)
    game.until(lambda seen: len(seen.discards) > 8)
    app.table_controller.receive(game.seen())
    lines = [each.text for each in app.table_controller._moves.rows]
    assert len(lines) > 8
    (said,) = heard
    assert said.split(". ")[: len(lines)] == lines


def test_the_own_cards_are_named_as_they_come(app: Application, heard: list[str]) -> None:
    game = Simulated(2, seed=3).until(
        lambda seen: seen.decider == 0 and any(isinstance(each, Draw) for each in seen.legal)
    )
    app.table_controller.receive(game.seen())
    assert heard[-1].count("Your hand: ") == 1
    before = {each.slot for each in game.own.hand}
    game.act(Draw())
    app.table_controller.receive(game.seen())
    (new,) = [each for each in game.own.hand if each.slot not in before]
    name = next(each.name for each in app.table_controller._hand.rows if each.slot == new.slot)
    assert f"New in your hand: {name[0].lower()}{name[1:]}".lower() in heard[-1].lower()
    app.table_controller.receive(game.seen())
    assert heard[-1].lower().count("new in your hand") == 1


def test_the_discard_pile_is_told(app: Application) -> None:
    app.settings_controller.change("language", "en")
    table, game = app.table_controller, scenes.game(4)
    view = game.own

    def told(top: Card | None, colour: Colour | None) -> str:
        changed = msgspec.structs.replace(view, top=top, colour=colour)
        table.show(game.whole(view=changed), True)
        return str(table.property("topText"))

    skip, wild = Card(Colour.GREEN, Rank.SKIP), Card(None, Rank.WILD)
    assert told(skip, Colour.GREEN) == "On the discard pile: green Skip; the colour is green"
    assert told(wild, Colour.BLUE) == "On the discard pile: Wild; the colour is blue"
    assert told(wild, None) == "On the discard pile: Wild; no colour is chosen yet"
    assert told(None, None) == "The discard pile is empty"


def test_a_key_tells_it_again(running: Running, window: QQuickWindow) -> None:
    said = announced(running.app)
    scenes.put(running, scenes.game(4))
    said.clear()
    press(window, Qt.Key.Key_R)
    assert len(said) == 1
    assert said[0].startswith("Since your last turn: ")


def test_everything_to_be_told_can_be_reached_by_tab(
    running: Running, window: QQuickWindow
) -> None:
    scenes.put(running, scenes.game(4))
    find(window, "discards")
    reached: set[str] = set()
    for _ in range(40):
        press(window, Qt.Key.Key_Tab)
        reached.add(keyboard_at(window))
    assert {"draws", "discards", "since", "hand", "leave"} <= reached


def opened(window: QQuickWindow) -> bool:
    """Whether the list of keys is shown."""
    sheet = window.findChild(QObject, "keyHelp")
    return sheet is not None and bool(sheet.property("holding"))


def ask(window: QQuickWindow) -> None:
    """Type a question mark with Shift, which every keyboard layout needs for it."""
    QTest.keyClick(window, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    settle()


def test_a_question_mark_shows_the_keys(running: Running, window: QQuickWindow) -> None:
    running.app.open("rules")
    ask(window)
    until(lambda: opened(window))
    dismiss(window)
    running.app.back()
    running.app.open("join")
    field = find(window, "where")
    click(window, "where", right=0.2)
    write(window, "a?")
    assert field.property("text") == "a?"
    assert not opened(window)
    running.app.back()
    scenes.put(running, scenes.game(4))
    ask(window)
    until(lambda: keyboard_at(window) == "closeKeys")
    dismiss(window)
    press(window, Qt.Key.Key_T)
    write(window, "?")
    assert keyboard_at(window) != "closeKeys"


def test_a_whole_turn_that_nobody_saw_is_the_last_one(app: Application) -> None:
    """A turn counts as the last one even if the display skipped it or the clock played it."""
    table = app.table_controller
    app.settings_controller.change("language", "en")
    names = ("Ana", "Ben")
    game = Simulated(2, seed=3, names=names).until(lambda seen: len(seen.discards) > 8)
    table.show(game.seen(), True)
    own = [each for each in table._moves.rows if each.seat == 0 and each.kind in ("play", "keep")]
    after = [each.text for each in table._moves.rows if each.id > own[-1].id and each.seat != 0]
    assert after[0].startswith("\u2068Ben\u2069 plays")
    assert table.property("since") == f"Since your last turn: {'. '.join(after)}"
    table.clear()
    # The own player has played the last card.
    game = Simulated(2, seed=0, names=names).until(lambda seen: len(seen.discards) > 8)
    table.show(game.seen(), True)
    assert table.property("since") == "Nothing has happened since your last turn"


def test_all_keys_can_be_read_by_keyboard(running: Running, window: QQuickWindow) -> None:
    """The keyboard scrolls the list of keys, which is too long for the smallest window."""
    running.app.settings_controller.change("text_scale", 1.5)
    press(window, Qt.Key.Key_F1)
    until(lambda: opened(window))
    area = find(window, "sheetArea")
    assert area.property("contentHeight") > area.height()
    for _ in range(30):
        press(window, Qt.Key.Key_Down)
    assert area.property("contentY") == area.property("contentHeight") - area.height()
    press(window, Qt.Key.Key_PageUp)
    assert area.property("contentY") < area.property("contentHeight") - area.height()
