"""Tests of the pace at which a table is shown, with a clock that only the tests advance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication

from lanuno.app.controllers.pacer import (
    MOST_AT_ONCE,
    MOST_LAG_SECONDS,
    Pacer,
    is_remote_move,
    takes_longer_to_read,
)
from lanuno.client.events import TableUpdated
from lanuno.client.snapshot import TableSnapshot
from lanuno.rules.engine import events
from lanuno.rules.engine.events import DrawReason
from tests.app.pictures.tables import Simulated
from tests.app.waiting import until

GAP = 0.4
MINE = events.Drew(0, (1,), DrawReason.TURN)
THEIRS = events.Drew(1, (2,), DrawReason.TURN)
CHOSEN = events.DealerChosen(1)


class Screen:
    """A pacer, its clock, and the updates that it has shown."""

    def __init__(self, gap: float = GAP) -> None:
        self.now = 1000.0
        self.shown: list[tuple[str, bool]] = []
        self.events: list[tuple[object, ...]] = []
        self.pacer = Pacer(self._show, gap=gap, clock=lambda: self.now)
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


def test_after_an_own_move_there_is_no_gap(screen: Screen) -> None:
    for name in "abc":
        screen.enqueue(name, MINE)
    screen.enqueue("d")
    assert screen.names() == ["a", "b", "c", "d"]


def test_the_choice_of_the_dealer_is_shown_for_twice_the_gap(screen: Screen) -> None:
    screen.enqueue("a", CHOSEN)
    screen.enqueue("b")
    screen.advance(1.5 * GAP)
    assert screen.names() == ["a"]
    screen.advance(0.5 * GAP)
    assert screen.names() == ["a", "b"]


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


def test_nothing_is_shown_during_a_pause(screen: Screen) -> None:
    screen.pacer.pause()
    screen.enqueue("a", MINE)
    screen.enqueue("b", MINE)
    screen.advance(GAP)
    assert screen.shown == []
    assert [each.snapshot.name for each in screen.pacer.queued] == ["a", "b"]
    screen.pacer.resume()
    assert screen.shown == [("a", False), ("b", False)]


def test_a_long_pause_ends_with_a_jump(screen: Screen) -> None:
    screen.pacer.pause()
    screen.enqueue("a", MINE)
    screen.enqueue("b", MINE)
    screen.now += MOST_LAG_SECONDS + 0.01
    screen.pacer.resume()
    assert screen.shown == [("b", True)]


def test_clear_drops_all_that_waits_and_ends_gap_and_pause(screen: Screen) -> None:
    screen.enqueue("a", THEIRS)
    screen.enqueue("b", THEIRS)
    screen.pacer.pause()
    screen.pacer.clear()
    assert list(screen.pacer.queued) == []
    screen.enqueue("c", MINE)
    assert screen.names() == ["a", "c"]


def test_the_event_loop_shows_an_update_when_its_gap_is_over(qt: QGuiApplication) -> None:
    """With the real clock, no call is needed after `enqueue`."""
    shown: list[str] = []
    pacer = Pacer(lambda update, _jump: shown.append(update.snapshot.name), gap=0.02)
    base = Simulated(2).snapshot()
    for name in "ab":
        pacer.enqueue(update(base, name, THEIRS, at=pacer._clock()))
    until(lambda: shown == ["a", "b"])


def test_which_updates_are_remote_moves() -> None:
    base = Simulated(2).snapshot()
    watching = Simulated(2, mine=None).snapshot()
    played = events.Played(1, 3, 4, 5)
    cases: tuple[tuple[TableSnapshot, Callable[[TableUpdated], bool], Any, bool], ...] = (
        (base, is_remote_move, THEIRS, True),
        (base, is_remote_move, played, True),
        (base, is_remote_move, MINE, False),
        (base, is_remote_move, events.UnoSaid(1), False),
        (watching, is_remote_move, MINE, True),
        (base, takes_longer_to_read, CHOSEN, True),
        (base, takes_longer_to_read, THEIRS, False),
    )
    for snapshot, question, event, answer in cases:
        assert question(update(snapshot, "", event)) is answer, (question.__name__, event)
