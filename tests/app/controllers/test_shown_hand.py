"""Tests of a challenged hand that lies open in the window."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.shown_hand import ShownHandPanel, decided_challenge, verdict_text
from lanuno.app.controllers.table import (
    HAND_SECONDS,
    VERDICT_ALONE_SECONDS,
    VERDICT_SECONDS,
)
from lanuno.app.controllers.table_view import names_of
from lanuno.client.events import TableUpdated
from lanuno.client.snapshot import TableSnapshot
from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.engine import events
from lanuno.rules.engine.actions import Challenge
from lanuno.rules.view import Held
from tests.app.announcements import plain
from tests.app.pictures.tables import Simulated

RED_SEVEN = Card(Colour.RED, Rank.SEVEN)
WILD = Card(None, Rank.WILD)


@pytest.fixture
def snapshot() -> TableSnapshot:
    """A table at which this player sees two cards of seat 1 and one of seat 2."""
    table = Simulated(3, names=("Ana", "Ben", "Cleo"))
    seen = ((1, Held(40, 0, RED_SEVEN)), (1, Held(41, 0, WILD)), (2, Held(42, 0, RED_SEVEN)))
    return table.snapshot(view=msgspec.structs.replace(table.own, seen=seen))


def panel(*slots: int, seat: int = 1, to_all: bool = False, verdict: str = "") -> ShownHandPanel:
    return ShownHandPanel(1, seat, slots, to_all, 100.0, 2, verdict)


def shown(hand: ShownHandPanel, snapshot: TableSnapshot) -> dict[str, Any]:
    return hand.as_qml(snapshot, names_of(snapshot))


@pytest.mark.usefixtures("english")
def test_the_cards_of_the_challenged_hand_are_shown(snapshot: TableSnapshot) -> None:
    found = shown(panel(40, 41), snapshot)
    assert plain(found.pop("title")) == "Only you see this: the hand of Ben"
    assert found == {
        "open": True,
        "seat": 1,
        "verdict": "",
        "toAll": False,
        "cards": [
            {"slot": 40, "colour": int(Colour.RED), "rank": int(Rank.SEVEN)},
            {"slot": 41, "colour": -1, "rank": int(Rank.WILD)},
        ],
    }
    opened = shown(panel(40, to_all=True), snapshot)
    assert plain(opened["title"]) == "Everybody sees this: the hand of Ben"


def test_only_cards_that_were_shown_and_are_visible_are_included(snapshot: TableSnapshot) -> None:
    """Neither a card of another hand nor one that was drawn after the challenge is shown."""
    found = shown(panel(41, 42, 43), snapshot)
    assert [each["slot"] for each in found["cards"]] == [41]


@pytest.mark.usefixtures("english")
def test_without_the_cards_only_the_verdict_is_shown(snapshot: TableSnapshot) -> None:
    assert not shown(panel(43), snapshot)["open"]
    found = shown(panel(verdict="No bluff"), snapshot)
    assert (found["open"], found["cards"]) == (True, [])
    assert plain(found["title"]) == "Cleo challenges Ben"


def test_without_a_view_nothing_is_shown(snapshot: TableSnapshot) -> None:
    assert panel(40).as_qml(None, None) == {"open": False}
    dealing = Simulated(3).snapshot(view=None)
    assert shown(panel(40), dealing) == {"open": False}


def challenged(mine: int | None) -> tuple[Simulated, TableSnapshot]:
    """Return a table of four at which seat 0 has to answer a Wild Draw Four, as a seat sees it."""
    table = Simulated(4, names=("Ana", "Ben", "Cleo", "Dora"), seed=3)
    table.until(lambda seen: seen.challengeable and seen.decider == 0, 20_000)
    return table, table.snapshot(mine=mine, view=table.seen_by(mine))


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("guilty", "mine", "said"),
    [
        (True, 0, "Bluff: Dora draws 4 cards"),
        (True, 3, "Bluff: you draw 4 cards"),
        (False, 0, "No bluff: you draw 6 cards"),
        (False, 2, "No bluff: Ana draws 6 cards"),
        (False, None, "No bluff: Ana draws 6 cards"),
    ],
)
def test_the_verdict_says_who_draws_how_many(guilty: bool, mine: int | None, said: str) -> None:
    _, before = challenged(mine)
    decided = events.ChallengeDecided(0, 3, guilty)
    assert plain(verdict_text(decided, (decided,), before, names_of(before))) == said
    refused = (events.ShowRefused(3), decided)
    if guilty:
        words = plain(verdict_text(decided, refused, before, names_of(before)))
        assert words == said.replace("Bluff", "Hand not shown")


def test_a_challenge_is_past_once_play_has_gone_on() -> None:
    decided = events.ChallengeDecided(0, 3, False)
    drew = events.Drew(0, (70, 71), events.DrawReason.CHALLENGE_LOST)
    assert decided_challenge((decided, drew)) is decided
    assert decided_challenge((decided, drew, events.Played(1, 30, 12, False))) is None


# ---- in the window ------------------------------------------------------------------------------


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of the table's controller: one number, which a test can change."""
    clock = [1000.0]
    fake = SimpleNamespace(monotonic=lambda: clock[0])
    monkeypatch.setattr("lanuno.app.controllers.table.time", fake)
    return clock


def course(seat: int | None) -> tuple[Simulated, list[TableUpdated]]:
    """Return a challenge of seat 0 as this seat sees it (1: the accused): one update each act."""
    table = Simulated(5, seed=3).until(
        lambda seen: seen.challengeable and seen.decider == 0, 20_000
    )
    accused = table.own.accused
    assert accused is not None
    other = next(each for each in (1, 2) if each != accused)
    table.mine = None if seat is None else (0, accused, other)[seat]
    updates = [TableUpdated(table.snapshot(), (), 0.0)]
    for number in range(9):
        before = len(table.happened)
        if number:
            table.step()
        else:
            table.act(Challenge(), seat=0)
        updates.append(TableUpdated(table.snapshot(), tuple(table.happened[before:]), 0.0))
        if any(isinstance(each, events.ChallengeDecided) for each in table.happened[before:]):
            return table, updates
    raise AssertionError("the challenge is not decided")


@pytest.mark.parametrize(
    "seat", [0, 1, 2, None], ids=["challenger", "accused", "other", "watching"]
)
@pytest.mark.parametrize("ends", ["a click", "time"])
def test_the_hand_then_the_verdict_then_the_cards(
    english: Application, now: list[float], seat: int | None, ends: str
) -> None:
    """Only the challenger sees the hand; everybody sees the verdict before the cards fly."""
    table, updates = course(seat)
    screen = english.table_controller
    screen.challenge_waits = True
    flown: list[str] = []
    screen.moved.connect(lambda kind, *_: flown.append(kind))
    for update in updates[:-1]:
        screen.receive(update)
    looked = screen.property("shown")
    if seat == 0:
        (slots,) = [each.slots for each in table.happened if isinstance(each, events.Shown)][-1:]
        assert [each["slot"] for each in looked["cards"]] == list(slots)
        assert (looked["open"], looked["verdict"]) == (True, "")
    else:
        assert looked == {"open": False}
    screen.receive(updates[-1])
    if seat == 0:
        assert screen.property("shown")["verdict"] == ""
        now[0] += HAND_SECONDS + 0.1
        screen._tick()
    found = screen.property("shown")
    assert "luff: " in found["verdict"]
    assert bool(found["cards"]) == (seat == 0)
    assert "draw" not in flown
    if ends == "a click":
        screen.closeShown()
    else:
        now[0] += (VERDICT_SECONDS if seat == 0 else VERDICT_ALONE_SECONDS) - 0.1
        screen._tick()
        assert screen.property("shown")["open"]
        now[0] += 0.2
        screen._tick()
    assert screen.property("shown") == {"open": False}
    assert "draw" in flown
