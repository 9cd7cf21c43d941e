"""The check that names the setting at fault."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lanuno.rules.presets import CLASSIC
from lanuno.rules.ruleset import Format, UnoRule
from lanuno.rules.settings import SETTINGS
from lanuno.rules.validation import SettingError, SettingProblem, validate


@pytest.mark.parametrize(
    ("change", "seats", "error"),
    [
        ({"preset": "x" * 33}, 4, SettingError("preset", SettingProblem.TOO_HIGH, 32)),
        ({"target": 0}, 4, SettingError("target", SettingProblem.TOO_LOW, 1)),
        ({"laps": 100}, 4, SettingError("laps", SettingProblem.TOO_HIGH, 99)),
        ({"deck": 110}, 4, SettingError("deck", SettingProblem.NOT_A_CHOICE, 108)),
        ({"turn_clock_s": 45}, 4, SettingError("turn_clock_s", SettingProblem.NOT_A_CHOICE, 0)),
        (
            {"seats_min": 5, "seats_max": 4},
            4,
            SettingError("seats_min", SettingProblem.CONFLICT, 4, "seats_max"),
        ),
        ({}, 1, SettingError("seats", SettingProblem.TOO_LOW, 2)),
        ({}, 11, SettingError("seats", SettingProblem.TOO_HIGH, 10)),
        (
            {"format": Format.PAIRS},
            5,
            SettingError("seats", SettingProblem.NOT_A_CHOICE, None, "format"),
        ),
        ({"hand_size": 20}, 6, SettingError("hand_size", SettingProblem.CONFLICT, 17, "seats")),
        (
            {"uno_catch_ms": 3000},
            4,
            SettingError("uno_catch_ms", SettingProblem.CONFLICT, 2500, "uno_hold_ms"),
        ),
        ({"uno": UnoRule.AUTOMATIC, "uno_hold_ms": 0}, 4, None),
        ({"advice": True}, 2, SettingError("advice", SettingProblem.CONFLICT, None, "seats")),
        (
            {"winner_deals": True, "format": Format.PARTNERS},
            4,
            SettingError("winner_deals", SettingProblem.CONFLICT, None, "format"),
        ),
        ({"hand_size": 10, "advice": True, "winner_deals": True}, 10, None),
    ],
)
def test_the_setting_at_fault_is_named(
    change: dict[str, Any], seats: int, error: SettingError | None
) -> None:
    assert validate(msgspec.structs.replace(CLASSIC, **change), seats) == error


@pytest.mark.parametrize(
    ("setting", "low", "high"),
    [(name, *each.bounds) for name, each in SETTINGS.items() if each.bounds is not None],
)
def test_every_bound_is_the_last_value_that_will_do(setting: str, low: int, high: int) -> None:
    """Each setting is tested alone; conflicts are checked only after all bounds."""
    for value, problem in (
        (low - 1, SettingError(setting, SettingProblem.TOO_LOW, low)),
        (high + 1, SettingError(setting, SettingProblem.TOO_HIGH, high)),
    ):
        assert validate(msgspec.structs.replace(CLASSIC, **{setting: value}), 4) == problem
    for value in (low, high):
        found = validate(msgspec.structs.replace(CLASSIC, **{setting: value}), 4)
        assert found is None or found.problem is SettingProblem.CONFLICT or found.setting == "seats"


def test_the_longest_name_of_a_preset() -> None:
    assert validate(msgspec.structs.replace(CLASSIC, preset="x" * 32), 4) is None


def test_the_largest_hand_leaves_a_starting_card() -> None:
    """Four of 108 cards may not start, so at most 103 cards can be dealt."""
    for seats, most in ((5, 20), (6, 17), (10, 10)):
        hand = msgspec.structs.replace(CLASSIC, hand_size=most)
        assert validate(hand, seats) is None
        if most < 20:
            hand = msgspec.structs.replace(CLASSIC, hand_size=most + 1)
            assert validate(hand, seats) == SettingError(
                "hand_size", SettingProblem.CONFLICT, most, "seats"
            )
