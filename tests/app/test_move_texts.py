"""Tests of moves in words: whose move it was, and which draws form one line."""

from __future__ import annotations

import pytest

from lanuno.app.move_texts import Names, line, merged_draws
from lanuno.rules.engine import events
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


def drew(seat: int, *slots: int, why: DrawReason = DrawReason.TURN) -> events.Drew:
    return events.Drew(seat, slots, why)


def test_draws_are_merged_only_for_one_seat_and_one_reason() -> None:
    assert merged_draws(drew(1, 4), drew(1, 5, 6)) == drew(1, 4, 5, 6)
    assert merged_draws(drew(1, 4), drew(2, 5)) is None
    assert merged_draws(drew(1, 4), drew(1, 5, why=DrawReason.UNO)) is None
    assert merged_draws(drew(1, 4, why=DrawReason.DEAL), drew(1, 5, why=DrawReason.DEAL)) is None
    assert merged_draws(events.Kept(1), drew(1, 5)) is None
    assert merged_draws(drew(1, 5), events.Kept(1)) is None
