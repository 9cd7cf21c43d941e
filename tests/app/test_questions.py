"""A picker or a question lives as long as the decision that it belongs to, and no longer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtQuick import QQuickWindow

from lanuno.app.running import Running
from lanuno.app.worker.follower import Seen
from lanuno.app.worker.snapshot import Stage
from lanuno.log.faults import VoidReason
from lanuno.rules.actions import Accept, Action, Draw, Keep, NameColour, Play
from lanuno.rules.presets import CLASSIC
from lanuno.rules.state import Phase
from lanuno.rules.view import SeatView
from tests.app.pictures import scenes_table as scenes
from tests.app.pictures.scene import View
from tests.app.pictures.tables import Simulated
from tests.app.pointing import find, keyboard_at, press
from tests.app.waiting import settle, until


@pytest.fixture
def window(running: Running) -> QQuickWindow:
    assert isinstance(running.window, QQuickWindow)
    running.app.preferences.put("motion", 0.0)
    running.window.resize(1024, 640)
    settle()
    return running.window


@pytest.fixture
def done(running: Running) -> list[Action]:
    """What the player wants to do."""
    acts: list[Action] = []
    running.app.table_screen.acted.connect(acts.append)
    return acts


def wild_slot(view: SeatView) -> int:
    return next(
        each.slot for each in view.legal if isinstance(each, Play) and each.colour is not None
    )


def picking(rules: Any = CLASSIC, mine: int = 0) -> Simulated:
    """A game in which the own seat may lay a wild card or draw."""

    def wild(seen: SeatView) -> bool:
        plays = [each for each in seen.legal if isinstance(each, Play) and each.colour is not None]
        return seen.decider == mine and bool(plays) and Draw() in seen.legal

    return Simulated(4, rules=rules, seed=5, mine=mine).until(wild)


def put(running: Running, table: Simulated, **facts: Any) -> None:
    """This is true now, and shown at once."""
    running.app.table_screen._newest = None
    scenes.put(running, table, facts)


def asked_for_colour(running: Running, table: Simulated) -> None:
    put(running, table)
    running.app.table_screen.play(wild_slot(table.own))
    assert running.app.table_screen.property("colourWanted")


def tell(running: Running, table: Simulated, stage: Stage = Stage.PLAYING, **facts: Any) -> None:
    """This is true now; it is shown when it is its turn."""
    running.app.table_screen.see(table.seen(stage, **facts))


def drew(table: Simulated) -> dict[str, Any]:
    table.act(Draw())
    return {}


def drew_and_kept(table: Simulated) -> dict[str, Any]:
    table.act(Draw())
    if table.game.decider == 0 and Keep() in table.own.legal:
        table.act(Keep())
    return {}


def ran_out(table: Simulated) -> dict[str, Any]:
    """The clock draws for a player who chooses for too long."""
    table._note(table.game.act(0, table.game.time_out()))
    return {}


def others_played_on(table: Simulated) -> dict[str, Any]:
    drew_and_kept(table)
    for _ in range(12):
        if table.game.decider == 0 and table.game.phase is Phase.TURN:
            break
        table.step()
    return {}


def lost_the_host(_table: Simulated) -> dict[str, Any]:
    return {"in_contact": False}


def void(_table: Simulated) -> dict[str, Any]:
    return {"stage": Stage.REVEALING, "void": VoidReason(2), "to_move": False}


def over(_table: Simulated) -> dict[str, Any]:
    return {"stage": Stage.BETWEEN, "to_move": False}


def next_round(table: Simulated) -> dict[str, Any]:
    """The same slot may hold a wild card again, and the same number may count its decisions."""
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
    assert not running.app.table_screen.property("colourWanted")
    until(lambda: keyboard_at(window) == "hand")


@pytest.mark.parametrize("key", [Qt.Key.Key_D, Qt.Key.Key_K])
def test_to_draw_or_keep_takes_the_picker_away_at_once(
    running: Running, window: QQuickWindow, done: list[Action], key: Qt.Key
) -> None:
    """Before the table has answered: the player has decided otherwise."""
    table = picking()
    if key == Qt.Key.Key_K:
        rules = msgspec.structs.replace(CLASSIC)
        table = Simulated(4, rules=rules, seed=5).until(
            lambda seen: (
                seen.phase is Phase.DRAWN
                and Keep() in seen.legal
                and any(isinstance(each, Play) and each.colour is not None for each in seen.legal)
            )
        )
    asked_for_colour(running, table)
    press(window, key)
    assert done == [Draw() if key == Qt.Key.Key_D else Keep()]
    assert not running.app.table_screen.property("colourWanted")
    press(window, Qt.Key.Key_1)
    assert len(done) == 1


def test_whoever_jumps_in_ends_the_choice_of_a_colour(
    running: Running, window: QQuickWindow
) -> None:
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
    assert not running.app.table_screen.property("colourWanted")


def test_the_picker_stays_while_nothing_about_the_decision_changes(
    running: Running, window: QQuickWindow
) -> None:
    table = picking()
    asked_for_colour(running, table)
    tell(running, table)
    tell(running, table, waits=((2, 0.0),))
    assert running.app.table_screen.property("colourWanted")


@pytest.mark.parametrize("kind", ["challenge", "stack", "vote", "first colour"])
def test_what_was_decided_is_not_asked_while_the_display_is_behind(
    running: Running, window: QQuickWindow, kind: str
) -> None:
    """The clock has answered, or a key; pictures of it still wait for their turn."""
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
    pacer = running.app.table_screen.pacer
    pacer._next = pacer._clock() + 3600
    view = table.own
    moved = msgspec.structs.replace(
        view, legal=(), accusation=None, decision=view.decision + 1, phase=Phase.TURN, decider=1
    )
    running.app.table_screen.see(Seen(table.shot(view=moved, to_move=False), (), pacer._clock()))
    settle()
    assert screen.property("question") == ""


def test_a_shown_hand_is_closed_by_the_end_of_its_round(
    running: Running, window: QQuickWindow
) -> None:
    scenes.shown(running, View())
    table = scenes.game(4)
    assert running.app.table_screen.property("shown")["open"]
    held = tuple((1, each) for each in table.seen_by(1).hand)
    later = msgspec.structs.replace(table.own, seen=held)
    tell(running, table, view=later, number=len(table.scores) + 2)
    assert not running.app.table_screen.property("shown")["open"]


def test_accusing_ends_when_nobody_can_be_accused(running: Running, window: QQuickWindow) -> None:
    table = Simulated(4, rules=scenes.ADVISING, seed=1)
    table.until(lambda seen: any(type(each).__name__ == "Accuse" for each in seen.legal))
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
