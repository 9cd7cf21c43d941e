"""Pickers and questions stay open exactly as long as the decision that they belong to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import SIGNAL, QObject, Qt
from PySide6.QtQuick import QQuickWindow
from PySide6.QtTest import QTest

from lanuno.app.running import Running
from lanuno.client.events import TableUpdated
from lanuno.client.snapshot import TableStage
from lanuno.log.faults import VoidReason
from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Accept, Accuse, Action, Draw, Keep, NameColour, Play
from lanuno.rules.engine.events import Played
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import CLASSIC
from lanuno.rules.view import SeatView
from tests.app.pictures import scenes_table as scenes
from tests.app.pictures.scene import View
from tests.app.pictures.tables import Simulated
from tests.app.user_input import find, keyboard_at, press
from tests.app.waiting import settle, until


def wild_slot(view: SeatView) -> int:
    return next(
        each.slot for each in view.legal if isinstance(each, Play) and each.colour is not None
    )


def picking(rules: Any = CLASSIC, mine: int = 0) -> Simulated:
    """Return a game in which the own seat may play a wild card or draw."""

    def wild(seen: SeatView) -> bool:
        plays = [each for each in seen.legal if isinstance(each, Play) and each.colour is not None]
        return seen.decider == mine and bool(plays) and Draw() in seen.legal

    return Simulated(4, rules=rules, seed=5, mine=mine).until(wild)


def put(running: Running, table: Simulated, **values: Any) -> None:
    """Show the present state of a table at once."""
    running.app.table_controller._newest_snapshot = None
    scenes.put(running, table, values)


def asked_for_colour(running: Running, table: Simulated) -> None:
    put(running, table)
    running.app.table_controller.play(wild_slot(table.own))
    assert running.app.table_controller.property("colourWanted")


def tell(
    running: Running, table: Simulated, stage: TableStage = TableStage.PLAYING, **values: Any
) -> None:
    """Send the present state of a table to the pacer, which shows it in its turn."""
    running.app.table_controller.receive(table.seen(stage, **values))


def drew(table: Simulated) -> dict[str, Any]:
    table.act(Draw())
    return {}


def drew_and_kept(table: Simulated) -> dict[str, Any]:
    table.act(Draw())
    if table.game.decider == 0 and Keep() in table.own.legal:
        table.act(Keep())
    return {}


def ran_out(table: Simulated) -> dict[str, Any]:
    """Let the clock draw for a player who has not chosen in time."""
    table._note(table.game.act(0, table.game.clock_action()))
    return {}


def others_played_on(table: Simulated) -> dict[str, Any]:
    drew_and_kept(table)
    for _ in range(12):
        if table.game.decider == 0 and table.game.phase is RoundPhase.TURN:
            break
        table.step()
    return {}


def lost_the_host(_table: Simulated) -> dict[str, Any]:
    return {"in_contact": False}


def void(_table: Simulated) -> dict[str, Any]:
    return {"stage": TableStage.REVEALING, "void": VoidReason(2), "to_move": False}


def over(_table: Simulated) -> dict[str, Any]:
    return {"stage": TableStage.BETWEEN, "to_move": False}


def next_round(table: Simulated) -> dict[str, Any]:
    """Begin the next round, in which the slot and the decision may have the same numbers."""
    return {"number": len(table.scores) + 2}


@pytest.mark.parametrize(
    "happens",
    [drew, drew_and_kept, ran_out, others_played_on, lost_the_host, void, over, next_round],
    ids=lambda happens: happens.__name__,
)
def test_a_colour_is_asked_for_no_longer_than_it_can_be_chosen(
    running: Running, window: QQuickWindow, happens: Callable[[Simulated], dict[str, Any]]
) -> None:
    table = picking()
    asked_for_colour(running, table)
    find(window, "colours")
    tell(running, table, **happens(table))
    assert not running.app.table_controller.property("colourWanted")
    until(lambda: keyboard_at(window) == "hand")


@pytest.mark.parametrize("key", [Qt.Key.Key_D, Qt.Key.Key_K])
def test_to_draw_or_keep_takes_the_picker_away_at_once(
    running: Running, window: QQuickWindow, done: list[Action], key: Qt.Key
) -> None:
    """Another decision closes the colour picker, even before the table has answered."""
    table = picking()
    if key == Qt.Key.Key_K:
        table = Simulated(4, rules=CLASSIC, seed=5).until(
            lambda seen: (
                seen.phase is RoundPhase.DRAWN
                and Keep() in seen.legal
                and any(isinstance(each, Play) and each.colour is not None for each in seen.legal)
            )
        )
    asked_for_colour(running, table)
    press(window, key)
    assert done == [Draw() if key == Qt.Key.Key_D else Keep()]
    assert not running.app.table_controller.property("colourWanted")
    press(window, Qt.Key.Key_1)
    assert len(done) == 1


def test_a_jump_in_ends_the_choice_of_a_colour(running: Running, window: QQuickWindow) -> None:
    rules = msgspec.structs.replace(CLASSIC, jump_in=True)

    def ready(seen: SeatView) -> bool:
        wild = any(isinstance(each, Play) and each.colour is not None for each in seen.legal)
        others = any(
            isinstance(each, Play) for seat in (1, 2, 3) for each in table.seen_by(seat).legal
        )
        return seen.decider == 0 and wild and others

    table = Simulated(4, rules=rules, seed=5)
    table.until(ready, 20_000)
    asked_for_colour(running, table)
    seat = next(
        seat
        for seat in (1, 2, 3)
        if any(isinstance(each, Play) for each in table.seen_by(seat).legal)
    )
    twin = next(each for each in table.seen_by(seat).legal if isinstance(each, Play))
    table.act(twin, seat=seat)
    tell(running, table)
    assert not running.app.table_controller.property("colourWanted")


def test_the_picker_stays_while_nothing_about_the_decision_changes(
    running: Running, window: QQuickWindow
) -> None:
    table = picking()
    asked_for_colour(running, table)
    tell(running, table)
    tell(running, table, waits=((2, 0.0),))
    assert running.app.table_controller.property("colourWanted")


@pytest.mark.parametrize("kind", ["challenge", "stack", "vote", "first colour"])
def test_a_decision_that_was_made_is_not_asked_for_while_the_display_lags(
    running: Running, window: QQuickWindow, kind: str
) -> None:
    """An answer by the clock or by a key closes the question, even if snapshots still wait."""
    if kind == "first colour":
        table = next(
            found
            for found in (Simulated(2, seed=seed) for seed in range(400))
            if any(isinstance(each, NameColour) for each in found.own.legal)
        )
    else:
        table = scenes.asking(kind)
    put(running, table)
    screen = window.findChild(QObject, "tableScreen")
    assert screen is not None
    until(lambda: screen.property("question"))
    pacer = running.app.table_controller.pacer
    pacer._next_at = pacer._clock() + 3600
    view = table.own
    moved = msgspec.structs.replace(
        view,
        legal=(),
        accusation=None,
        decision=view.decision + 1,
        phase=RoundPhase.TURN,
        decider=1,
    )
    played = Played(1, 90, 4, 5)
    running.app.table_controller.receive(
        TableUpdated(table.snapshot(view=moved, to_move=False), (played,), pacer._clock())
    )
    settle()
    assert screen.property("question") == ""


def test_a_shown_hand_is_closed_by_the_end_of_its_round(
    running: Running, window: QQuickWindow
) -> None:
    scenes.shown(running, View())
    table = scenes.game(4)
    assert running.app.table_controller.property("shown")["open"]
    held = tuple((1, each) for each in table.seen_by(1).hand)
    later = msgspec.structs.replace(table.own, seen=held)
    tell(running, table, view=later, number=len(table.scores) + 2)
    assert not running.app.table_controller.property("shown")["open"]


def test_accusing_ends_when_nobody_can_be_accused(running: Running, window: QQuickWindow) -> None:
    table = Simulated(4, rules=scenes.ADVISING, seed=1)
    table.until(lambda seen: any(isinstance(each, Accuse) for each in seen.legal))
    put(running, table)
    screen = window.findChild(QObject, "tableScreen")
    assert screen is not None
    screen.setProperty("accusing", True)
    tell(running, table, view=msgspec.structs.replace(table.own, legal=()))
    assert not screen.property("accusing")


def test_the_answer_of_a_key_is_the_answer_of_the_button(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    put(running, scenes.asking("challenge"))
    find(window, "challenge")
    press(window, Qt.Key.Key_A)
    assert done == [Accept()]


@pytest.fixture
def lively(running: Running, window: QQuickWindow) -> QObject:
    """The table screen, with animation."""
    running.app.settings_controller.change("motion", 1.0)
    running.app.reset_to("table")
    settle()
    screen = window.findChild(QObject, "tableScreen")
    assert screen is not None
    return screen


def test_a_question_leaves_the_keyboard_to_a_sheet_that_opens(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    table = picking()
    put(running, table)
    until(lambda: keyboard_at(window) == "hand")
    screen = window.findChild(QObject, "tableScreen")
    assert screen is not None
    running.app.settings_controller.change("motion", 1.0)
    QTest.keyClick(window, Qt.Key.Key_F1)
    running.app.table_controller.play(wild_slot(table.own))
    until(lambda: screen.property("question") == "colour")
    settle()
    assert keyboard_at(window) == "closeKeys"
    press(window, Qt.Key.Key_Escape)
    until(lambda: keyboard_at(window) == "colours")
    press(window, Qt.Key.Key_1)
    assert [each.colour for each in done if isinstance(each, Play)] == [Colour.RED]


def hit() -> tuple[Simulated, TableUpdated]:
    """Return a table with a Wild Draw Four against the own seat, and the update that shows it."""
    table = Simulated(5, seed=3).until(lambda seen: seen.challengeable and seen.decider == 0)
    laid = max(number for number, each in enumerate(table.happened) if isinstance(each, Played))
    return table, TableUpdated(table.snapshot(), tuple(table.happened[laid:]), 0.0)


def test_the_challenge_is_asked_once_the_card_has_landed(
    running: Running, window: QQuickWindow, lively: QObject
) -> None:
    table, laid = hit()
    before = msgspec.structs.replace(
        table.own, legal=(), decider=4, discards=table.own.discards[:-1]
    )
    screen = running.app.table_controller
    screen.show(TableUpdated(table.snapshot(view=before, to_move=False), (), 0.0), True)
    settle()
    asked: list[str] = []
    opened: list[object] = []
    QObject.connect(
        lively, SIGNAL("questionChanged()"), lambda: asked.append(lively.property("question"))
    )
    screen.show(laid)
    deck = find(window, "deck")
    assert (deck.property("cardsMissing"), lively.property("question")) == (1, "")

    def open_once() -> bool:
        if lively.property("question"):
            opened.append(deck.property("cardsMissing"))
        return bool(opened)

    until(open_once)
    assert (opened, asked) == ([0], ["challenge"])
    until(lambda: keyboard_at(window) == "accept")


def test_a_picture_that_is_jumped_to_asks_at_once(
    running: Running, window: QQuickWindow, lively: QObject
) -> None:
    _, laid = hit()
    running.app.table_controller.show(laid, True)
    settle()
    assert lively.property("question") == "challenge"


def test_the_question_names_the_colour_that_a_challenge_is_about(
    running: Running, window: QQuickWindow
) -> None:
    table = scenes.asking("challenge")
    put(running, table)
    colour = table.own.accused_colour
    assert colour is not None
    assert colour != table.own.colour
    dialog = find(window, "challenge")
    assert f"on {colour.name.lower()}:" in dialog.property("title")
    assert f"held {colour.name.lower()}," in dialog.property("text")
    assert find(window, "questionSign").property("kind") == int(colour)
