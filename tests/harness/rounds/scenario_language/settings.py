"""Scenarios of the kind `settings`: a ruleset's settings, the seats it allows, and its deck.

This module carries out their lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from lanuno.rules.cards import Colour
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import WhenChecked
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SETTINGS
from lanuno.rules.validation import SettingError, SettingProblem, validate
from tests.harness.rounds.audited_settings import checked_at_audit
from tests.harness.rounds.scenario_language.files import Scenario
from tests.harness.rounds.scenario_language.words import (
    RANKS,
    face_ids,
    listed,
    ruleset_from,
    setting,
)

CROWD = 12
"""More seats than any ruleset allows."""


class SettingsStage:
    """A ruleset to be examined."""

    def __init__(self, scenario: Scenario) -> None:
        given = dict(scenario.given)
        self.ruleset = ruleset_from(given.pop("ruleset", {}))
        assert not given, f"unknown entries: {sorted(given)}"

    def do(self, line: str) -> None:
        """Carry out one line; raise AssertionError, with the difference, if it does not hold."""
        for pattern, check in _LINES:
            match = pattern.fullmatch(line)
            if match is not None:
                check(self.ruleset, *match.groups())
                return
        raise AssertionError(f"not in the language of scenarios: {line}")


def _numbers(words: str) -> list[int]:
    """Return the numbers of "4, 6 and 8" or "2 to 10"."""
    first, to, last = words.partition(" to ")
    return list(range(int(first), int(last) + 1)) if to else [int(each) for each in listed(words)]


def _accepted(ruleset: Ruleset, exactly: str | None, seats: str) -> None:
    playable = [count for count in range(CROWD + 1) if validate(ruleset, count) is None]
    if exactly:
        assert playable == _numbers(seats), f"it can be played with {playable}"
    else:
        assert set(_numbers(seats)) <= set(playable), f"it can be played with {playable}"


def _refused(
    ruleset: Ruleset, seats: str, problem: str, name: str, other: str | None, limit: str | None
) -> None:
    expected = SettingError(
        name, SettingProblem[problem], None if limit is None else int(limit), other
    )
    assert validate(ruleset, int(seats)) == expected, validate(ruleset, int(seats))


def _says(ruleset: Ruleset, name: str, value: str) -> None:
    found = getattr(ruleset, name)
    assert found == setting(ruleset, name, value), f"it is {found!r}"


def _differs(ruleset: Ruleset, preset: str, names: str) -> None:
    base = PRESETS[preset]
    changed = {name for name in SETTINGS if getattr(ruleset, name) != getattr(base, name)}
    assert changed == set(listed(names)) - {"nothing"}, f"it differs in {sorted(changed)}"


def _travels(ruleset: Ruleset) -> None:
    wire = msgspec.msgpack.encode(ruleset)
    assert msgspec.msgpack.decode(wire, type=Ruleset) == ruleset


def _size(ruleset: Ruleset, count: str) -> None:
    assert len(deck_tables(ruleset.deck).faces) == int(count), len(deck_tables(ruleset.deck).faces)


def _in_every_colour(ruleset: Ruleset, count: str, names: str) -> None:
    for name in listed(names):
        for colour in Colour:
            found = face_ids(f"{colour.name} {name}", ruleset.deck)
            assert len(found) == int(count), f"{len(found)} of {colour.name} {name}"


def _of_kind(ruleset: Ruleset, count: str, name: str) -> None:
    found = face_ids(name, ruleset.deck)
    assert len(found) == int(count), f"there are {len(found)}"


def _worth(ruleset: Ruleset, name: str, points: str) -> None:
    faces = [face for face in deck_tables(ruleset.deck).faces if face.rank is RANKS[name]]
    assert {face.points for face in faces} == {int(points)}


def _marked(ruleset: Ruleset, name: str, when: str) -> None:
    expected = WhenChecked.LIVE if when == "live" else WhenChecked.AUDIT
    assert HOUSE_RULES[name].checked is expected, HOUSE_RULES[name].checked.name


def _left_to_audit(ruleset: Ruleset, names: str) -> None:
    expected = [] if names == "nothing" else listed(names)
    assert list(checked_at_audit(ruleset)) == expected, checked_at_audit(ruleset)


_LINES: list[tuple[re.Pattern[str], Callable[..., None]]] = [
    (re.compile(r"accepted with (exactly )?(.+?)(?: players)?"), _accepted),
    (
        re.compile(
            r"refused with (\d+) players?, (\w+): (\w+)(?: with (\w+))?(?:, (\d+) would do)?"
        ),
        _refused,
    ),
    (re.compile(r"expect (\d+) cards in the deck"), _size),
    (re.compile(r"expect (\d+) of (.+) in every colour"), _in_every_colour),
    (re.compile(r"expect (\d+) cards? (.+)"), _of_kind),
    (re.compile(r"expect every (.+) worth (\d+) points?"), _worth),
    (re.compile(r"expect (\w+) checked (live|at the audit)"), _marked),
    (re.compile(r"expect the audit to check (.+)"), _left_to_audit),
    (re.compile(r"expect a difference from ([\w-]+) in (.+)"), _differs),
    (re.compile(r"expect it to travel unchanged"), _travels),
    (re.compile(r"expect (\w+) (\S+)"), _says),
]
