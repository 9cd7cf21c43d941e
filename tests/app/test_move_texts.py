"""Tests of the list of moves: every line names the player and the act."""

from __future__ import annotations

import pytest

from lanuno.app.move_texts import Names, line
from lanuno.rules.engine import events

NAMES = Names(("Ada", "Ben", "Cleo"), 0, 108)


@pytest.mark.parametrize(
    ("seat", "said"), [(1, "\u2068Ben\u2069 reverses"), (None, "The starting card reverses")]
)
def test_a_reverse_says_whose_it_was(seat: int | None, said: str) -> None:
    told = line(1, events.DirectionTurned(clockwise=False, seat=seat), NAMES)
    assert told is not None
    assert (told.text, told.seat) == (said, -1 if seat is None else seat)
