"""Presets, the wire form of a ruleset, and the check that names the setting at fault."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lanuno.rules.presets import (
    CLASSIC,
    ELIMINATION,
    MASTERS_SHORT,
    PAIRS,
    PARTNERS,
    PRESETS,
    TOURNAMENT,
)
from lanuno.rules.ruleset import (
    BOUNDS,
    DrawnRule,
    DrawRule,
    Format,
    Ruleset,
    SettingError,
    SettingProblem,
    UnoRule,
    WildFour,
    validate,
)

SEATS = {
    "classic": range(2, 11),
    "deck112": range(2, 11),
    "express": range(2, 5),
    "masters": range(2, 11),
    "masters-short": range(2, 11),
    "duel": range(2, 3),
    "low-score": range(2, 11),
    "elimination": range(3, 11),
    "pairs": range(4, 11, 2),
    "partners": range(4, 5),
    "tournament": range(4, 5),
}


def test_every_preset_says_who_may_play() -> None:
    assert set(PRESETS) == set(SEATS)
    for name, ruleset in PRESETS.items():
        assert ruleset.preset == name
        playable = [seats for seats in range(12) if validate(ruleset, seats) is None]
        assert playable == list(SEATS[name]), name


def test_what_the_presets_differ_in() -> None:
    assert PRESETS["deck112"].deck == 112
    assert PRESETS["deck112"].drawn is DrawnRule.STUCK
    express = PRESETS["express"]
    assert (express.target_two, express.target) == (100, 200)
    assert express.wild_four is WildFour.STRICT
    assert express.uno is UnoRule.AUTOMATIC
    assert express.draw is DrawRule.STUCK
    assert PRESETS["masters"].wild_four is WildFour.STRICTEST
    assert PRESETS["masters"].format is Format.SINGLE
    assert (MASTERS_SHORT.format, MASTERS_SHORT.laps) == (Format.LAPS, 10)
    assert {CLASSIC.target, PRESETS["low-score"].target, ELIMINATION.target, PAIRS.target} == {500}
    assert PARTNERS.hands == TOURNAMENT.hands == 4


def test_a_ruleset_travels() -> None:
    for ruleset in PRESETS.values():
        wire = msgspec.msgpack.encode(ruleset)
        assert msgspec.msgpack.decode(wire, type=Ruleset) == ruleset
        plain = msgspec.msgpack.decode(wire)
        assert isinstance(plain, list)
        assert {type(value) for value in plain} <= {int, bool, str}


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


@pytest.mark.parametrize("setting", BOUNDS)
def test_every_bound_is_the_last_value_that_will_do(setting: str) -> None:
    """By itself: what it does not go together with comes after all bounds."""
    low, high = BOUNDS[setting]
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
    """108 cards: five seats of 20 leave 8, the four that go back and four more; 103 is the most."""
    for seats, most in ((5, 20), (6, 17), (10, 10)):
        hand = msgspec.structs.replace(CLASSIC, hand_size=most)
        assert validate(hand, seats) is None
        if most < 20:
            hand = msgspec.structs.replace(CLASSIC, hand_size=most + 1)
            assert validate(hand, seats) == SettingError(
                "hand_size", SettingProblem.CONFLICT, most, "seats"
            )
