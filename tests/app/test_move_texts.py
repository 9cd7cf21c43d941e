"""Tests of moves in words: whose move it was, and which draws form one line."""

from __future__ import annotations

from functools import partial

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.move_texts import Names, line, merged, motions
from lanuno.log.round.events import ActionTaken
from lanuno.log.round.round_record import Acted
from lanuno.rules.engine import events
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.events import DrawReason
from tests.app.announcements import plain

NAMES = Names(("Ada", "Ben", "Cleo"), 0, 108)


@pytest.mark.parametrize(
    ("seat", "said"), [(1, "\u2068Ben\u2069 reverses"), (None, "The starting card reverses")]
)
def test_a_reverse_says_whose_it_was(seat: int | None, said: str) -> None:
    told = line(1, events.DirectionTurned(clockwise=False, seat=seat), NAMES)
    assert told is not None
    assert (told.text, told.seat) == (said, -1 if seat is None else seat)


@pytest.mark.parametrize(
    ("name", "event", "said"),
    [
        ("{other}", events.Challenged(1, 2, ()), "{other} challenges Cleo"),
        ("{card}", events.Played(1, 3, 0, 5), "{card} plays red 0"),
        ("{colour}", events.ColourNamed(1, 0), "{colour} names red"),
    ],
)
@pytest.mark.usefixtures("english")
def test_a_name_that_looks_like_a_placeholder_is_shown_as_it_is(
    name: str, event: object, said: str
) -> None:
    """Otherwise a player could appear under the name of another one."""
    told = line(1, event, Names(("Ada", name, "Cleo"), 0, 108))
    assert told is not None
    assert plain(told.text) == said


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (5, "Ben juega el 3 rojo"),
        (19, "Ben juega el Salta rojo"),
        (104, "Ben juega el Comodín toma cuatro"),
    ],
)
def test_a_card_has_its_colour_as_spanish_says_it(app: Application, card: int, said: str) -> None:
    app.settings_controller.change("language", "es")
    told = line(1, events.Played(1, 3, card, 5), NAMES)
    assert told is not None
    assert plain(told.text) == said


def drew(seat: int, *slots: int, why: DrawReason = DrawReason.TURN) -> events.Drew:
    return events.Drew(seat, slots, why)


def test_draws_are_merged_only_for_one_seat_and_one_reason() -> None:
    assert merged(drew(1, 4), drew(1, 5, 6)) == drew(1, 4, 5, 6)
    assert merged(drew(1, 4), drew(2, 5)) is None
    assert merged(drew(1, 4), drew(1, 5, why=DrawReason.UNO)) is None
    assert merged(drew(1, 4, why=DrawReason.DEAL), drew(1, 5, why=DrawReason.DEAL)) is None
    assert merged(events.Kept(1), drew(1, 5)) is None
    assert merged(drew(1, 5), events.Kept(1)) is None


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("why", "said"),
    [
        (DrawReason.PENALTY, "Ben draws 2 cards and loses the turn"),
        (
            DrawReason.CHALLENGE_LOST,
            "Ben draws 2 cards and loses the turn: the challenge failed",
        ),
        (DrawReason.UNO, None),
    ],
)
def test_a_penalty_is_told_with_the_turn_that_it_costs(why: DrawReason, said: str | None) -> None:
    both = drew(1, 4, 5, why=why), events.Skipped(1)
    together = merged(*both)
    told = None if together is None else line(1, together, NAMES)
    assert (None if told is None else plain(told.text)) == said
    assert merged(both[0], events.Skipped(2)) is None
    *_, skipped = motions(both, NAMES, {})
    assert (skipped.kind, len(skipped.cards)) == ("skip", 0 if said is None else 2)


@pytest.mark.usefixtures("english")
def test_what_the_clock_plays_is_told_before_it_and_nothing_of_a_player() -> None:
    for kind in (ActionTaken, partial(Acted, 7)):
        told = line(1, kind(1, Draw(), by_clock=True), NAMES)
        assert told is not None
        assert plain(told.text) == "Ben's time is up: the clock plays"
        assert line(1, kind(1, Draw(), by_clock=False), NAMES) is None


def test_a_draw_in_two_parts_is_one_penalty() -> None:
    """As when the pile is shuffled in between. The cards of both belong to the lost turn."""
    parts = drew(1, 4, why=DrawReason.PENALTY), drew(1, 5, why=DrawReason.PENALTY)
    *_, skipped = motions((*parts, events.Skipped(1)), NAMES, {})
    assert [each["slot"] for each in skipped.cards] == [4, 5]
