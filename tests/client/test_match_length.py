"""Which matches are said to be too long for their log."""

from __future__ import annotations

import pytest

from lanuno.client.match_length import rounds_that_fit, too_long
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Format, Ruleset


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
def test_every_preset_has_room_for_every_number_of_seats(ruleset: Ruleset) -> None:
    assert {too_long(ruleset, seats) for seats in playable_seats(ruleset)} == {None}


@pytest.mark.parametrize(
    ("ruleset", "seats", "rounds"),
    [
        (Ruleset(target=9999), 4, None),
        (Ruleset(target=9999, format=Format.LOW_SCORE), 4, None),
        (Ruleset(target=1000, format=Format.ELIMINATION), 10, None),
        (Ruleset(target=9999, format=Format.PAIRS), 6, None),
        (Ruleset(target=9999), 4, 1000),
        (Ruleset(format=Format.PARTNERS, hands=20, cycles=10), 4, None),
    ],
)
def test_a_match_that_needs_more_rounds_than_fit(
    ruleset: Ruleset, seats: int, rounds: int | None
) -> None:
    fit = rounds_that_fit(seats)
    assert too_long(ruleset, seats, rounds) == fit
    assert too_long(ruleset, seats, fit) is None


def test_only_the_target_of_this_number_of_seats_counts() -> None:
    assert too_long(Ruleset(target=9999), 2) is None
    assert too_long(Ruleset(target_two=9999, hand_size=3), 2) == rounds_that_fit(2)
