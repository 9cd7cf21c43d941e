"""The presets and the wire form of a ruleset."""

from __future__ import annotations

import msgspec

from lanuno.rules.presets import (
    CLASSIC,
    ELIMINATION,
    MASTERS_SHORT,
    PAIRS,
    PARTNERS,
    PRESETS,
    TOURNAMENT,
)
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Ruleset, UnoRule, WildFour
from lanuno.rules.validation import validate

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


def test_a_ruleset_survives_encoding() -> None:
    for ruleset in PRESETS.values():
        wire = msgspec.msgpack.encode(ruleset)
        assert msgspec.msgpack.decode(wire, type=Ruleset) == ruleset
        plain = msgspec.msgpack.decode(wire)
        assert isinstance(plain, list)
        assert {type(value) for value in plain} <= {int, bool, str}
