"""Tests of a challenged hand that lies open in the window."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.app.controllers.shown_hand import ShownHandPanel
from lanuno.client.snapshot import TableSnapshot
from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.view import Held
from tests.app.pictures.tables import Simulated

RED_SEVEN = Card(Colour.RED, Rank.SEVEN)
WILD = Card(None, Rank.WILD)


@pytest.fixture
def snapshot() -> TableSnapshot:
    """A table at which this player sees two cards of seat 1 and one of seat 2."""
    table = Simulated(3, names=("Ana", "Ben", "Cleo"))
    seen = ((1, Held(40, 0, RED_SEVEN)), (1, Held(41, 0, WILD)), (2, Held(42, 0, RED_SEVEN)))
    return table.snapshot(view=msgspec.structs.replace(table.own, seen=seen))


def panel(*slots: int, seat: int = 1, to_all: bool = False) -> ShownHandPanel:
    return ShownHandPanel(1, seat, slots, to_all, ends=100.0)


def test_the_cards_of_the_challenged_hand_are_shown(snapshot: TableSnapshot) -> None:
    assert panel(40, 41).as_qml(snapshot, now=88.0) == {
        "open": True,
        "seat": 1,
        "name": "Ben",
        "toAll": False,
        "cards": [
            {"slot": 40, "colour": int(Colour.RED), "rank": int(Rank.SEVEN)},
            {"slot": 41, "colour": -1, "rank": int(Rank.WILD)},
        ],
        "seconds": 12.0,
    }
    assert panel(40, to_all=True).as_qml(snapshot, now=88.0)["toAll"]


def test_only_cards_that_were_shown_and_are_visible_are_included(snapshot: TableSnapshot) -> None:
    """Neither a card of another hand nor one that was drawn after the challenge is shown."""
    shown = panel(41, 42, 43).as_qml(snapshot, now=88.0)
    assert [each["slot"] for each in shown["cards"]] == [41]


def test_the_panel_closes_once_its_cards_are_hidden(snapshot: TableSnapshot) -> None:
    assert not panel(43).as_qml(snapshot, now=88.0)["open"]


def test_without_a_view_nothing_is_shown(snapshot: TableSnapshot) -> None:
    assert panel(40).as_qml(None, now=88.0) == {"open": False}
    dealing = Simulated(3).snapshot(view=None)
    assert panel(40).as_qml(dealing, now=88.0) == {"open": False}


def test_the_time_left_is_never_negative(snapshot: TableSnapshot) -> None:
    assert panel(40).as_qml(snapshot, now=101.0)["seconds"] == 0.0
