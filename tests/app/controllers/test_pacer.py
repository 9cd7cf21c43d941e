"""Tests of the pace at which a table is shown, with a clock that only the tests advance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication

from lanuno.app.controllers.pacer import (
    MOST_AT_ONCE,
    MOST_LAG_SECONDS,
    Pacer,
    is_own_action,
    remote_moves,
)
from lanuno.client.events import TableUpdated
from lanuno.client.snapshot import TableSnapshot
from lanuno.log.round.events import ActionTaken
from lanuno.rules.engine import events
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.events import DrawReason
from tests.app.pictures.tables import Simulated
from tests.app.waiting import until

GAP = 0.4
MINE = events.Drew(0, (1,), DrawReason.TURN)
THEIRS = events.Drew(1, (2,), DrawReason.TURN)
ACTED = ActionTaken(0, Draw(), False)
CHOSEN = events.DealerChosen(1)


class Screen:
    """A pacer, its clock, and the updates that it has shown."""

    def __init__(self, gap: float = GAP) -> None:
        self.now = 1000.0
        self.shown: list[tuple[str, bool]] = []
        self.events: list[tuple[object, ...]] = []
        self.held: set[str] = set()
        self.pacer = Pacer(
            self._show,
            gap=gap,
            clock=lambda: self.now,
            holds=lambda update: update.snapshot.name in self.held,
        )
        self._base = Simulated(2).snapshot()

    def _show(self, update: TableUpdated, jump: bool) -> None:
        self.shown.append((update.snapshot.name, jump))
        self.events.append(update.happened)

    def enqueue(self, name: str, *happened: Any, since: float = 0.0) -> None:
        """Add an update that arrived `since` seconds ago."""
        self.pacer.enqueue(update(self._base, name, *happened, at=self.now - since))

    def advance(self, seconds: float) -> None:
        """Advance the clock, and show what is due then."""
        self.now += seconds
        self.pacer.show_due()

    def names(self) -> list[str]:
        return [name for name, _ in self.shown]


def update(base: TableSnapshot, name: str, *happened: Any, at: float = 0.0) -> TableUpdated:
    return TableUpdated(replace(base, name=name), happened, at)


@pytest.fixture
def screen(qt: QGuiApplication) -> Screen:
    return Screen()


def test_remote_moves_are_shown_with_a_gap(screen: Screen) -> None:
    for name in "abc":
        screen.enqueue(name, THEIRS)
    assert screen.names() == ["a"]
    screen.advance(GAP - 0.01)
    assert screen.names() == ["a"]
    screen.advance(0.01)
    assert screen.names() == ["a", "b"]
    screen.advance(GAP)
    assert screen.shown == [("a", False), ("b", False), ("c", False)]


def test_an_own_action_shows_at_once_with_all_before_it(screen: Screen) -> None:
    """However soon it follows a move of another player; the next one keeps its distance."""
    screen.enqueue("a", THEIRS)
    screen.enqueue("b", THEIRS)
    assert screen.names() == ["a"]
    screen.enqueue("c", ACTED, MINE)
    assert screen.shown == [("a", False), ("b", False), ("c", False)]
    screen.enqueue("d")
    screen.enqueue("e", THEIRS)
    assert screen.names() == ["a", "b", "c", "d"]
    screen.advance(GAP)
    assert screen.names()[4:] == ["e"]


def test_moves_that_arrive_together_need_the_time_of_both(screen: Screen) -> None:
    screen.enqueue("a", THEIRS, THEIRS)
    screen.enqueue("b", THEIRS)
    screen.advance(1.5 * GAP)
    assert screen.names() == ["a"]
    screen.advance(0.5 * GAP)
    assert screen.names() == ["a", "b"]


def test_only_moves_wait(screen: Screen) -> None:
    """There is no time at which one can only wait, as after the choice of the dealer."""
    screen.enqueue("a", THEIRS)
    screen.enqueue("b", CHOSEN)
    screen.enqueue("c", events.Dealt(1, (3,)))
    assert screen.names() == ["a", "b", "c"]


def test_a_display_that_lags_too_much_jumps_to_the_newest_update(screen: Screen) -> None:
    screen.enqueue("a", THEIRS)
    screen.enqueue("b", THEIRS)
    screen.enqueue("c", MINE)
    screen.advance(MOST_LAG_SECONDS + 0.01)
    assert screen.shown == [("a", False), ("c", True)]
    # Nothing that happened in between is lost.
    assert screen.events[-1] == (THEIRS, MINE)
    assert list(screen.pacer.queued) == []


def test_a_late_update_without_successor_is_shown_as_usual(screen: Screen) -> None:
    screen.enqueue("a", THEIRS, since=MOST_LAG_SECONDS + 5)
    assert screen.shown == [("a", False)]


@pytest.mark.parametrize(("count", "jump"), [(MOST_AT_ONCE, False), (MOST_AT_ONCE + 1, True)])
def test_an_update_with_too_many_events_is_a_jump(screen: Screen, count: int, jump: bool) -> None:
    screen.enqueue("a", *[THEIRS] * count)
    assert screen.shown == [("a", jump)]


def test_without_a_gap_every_update_is_shown_at_once(qt: QGuiApplication) -> None:
    screen = Screen(gap=0)
    for name in "abc":
        screen.enqueue(name, THEIRS, CHOSEN, since=MOST_LAG_SECONDS + 5)
    assert screen.shown == [("a", False), ("b", False), ("c", False)]


def test_nothing_is_shown_from_a_held_update_on(screen: Screen) -> None:
    screen.held = {"b"}
    for name in "abc":
        screen.enqueue(name, ACTED)
    screen.advance(GAP)
    assert screen.names() == ["a"]
    assert [each.snapshot.name for each in screen.pacer.queued] == ["b", "c"]
    screen.held = set()
    screen.pacer.show_due()
    assert screen.shown == [("a", False), ("b", False), ("c", False)]


def test_a_jump_ends_before_a_held_update(screen: Screen) -> None:
    screen.held = {"c"}
    for name in "abcd":
        screen.enqueue(name, THEIRS)
    screen.advance(MOST_LAG_SECONDS + 0.01)
    assert screen.shown == [("a", False), ("b", True)]
    screen.held = set()
    screen.pacer.show_due()
    assert screen.shown[2:] == [("d", True)]


def test_clear_drops_all_that_waits_and_ends_the_gap(screen: Screen) -> None:
    screen.enqueue("a", THEIRS)
    screen.enqueue("b", THEIRS)
    screen.pacer.clear()
    assert list(screen.pacer.queued) == []
    screen.enqueue("c", THEIRS)
    assert screen.names() == ["a", "c"]


def test_the_event_loop_shows_an_update_when_its_gap_is_over(qt: QGuiApplication) -> None:
    """With the real clock, no call is needed after `enqueue`."""
    shown: list[str] = []
    pacer = Pacer(lambda update, _jump: shown.append(update.snapshot.name), gap=0.02)
    base = Simulated(2).snapshot()
    for name in "ab":
        pacer.enqueue(update(base, name, THEIRS, at=pacer._clock()))
    until(lambda: shown == ["a", "b"])


def test_which_updates_are_moves_of_whom() -> None:
    base = Simulated(2).snapshot()
    watching = Simulated(2, mine=None).snapshot()
    played = events.Played(1, 3, 4, 5)
    cases: tuple[tuple[TableSnapshot, Callable[[TableUpdated], int], Any, int], ...] = (
        (base, remote_moves, THEIRS, 1),
        (base, remote_moves, played, 1),
        (base, remote_moves, MINE, 0),
        (base, remote_moves, events.UnoSaid(1), 0),
        (watching, remote_moves, MINE, 1),
        (base, is_own_action, ACTED, True),
        (base, is_own_action, ActionTaken(1, Draw(), False), False),
        (watching, is_own_action, ACTED, False),
    )
    for snapshot, question, event, answer in cases:
        assert question(update(snapshot, "", event)) == answer, (question.__name__, event)
