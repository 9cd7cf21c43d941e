"""The rules of a table as one line and as JSON."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.cli.rule_choice import changed_rules
from lanuno.cli.rule_title import (
    changed_fields,
    changed_pairs,
    option_value,
    plain_value,
    rules_line,
)
from lanuno.client.texts import Texts
from lanuno.rules.presets import EXPRESS
from lanuno.rules.ruleset import Ruleset, WildFour

FRIDAY = Ruleset(jump_in=True, target=300, wild_four=WildFour.STRICT)


def test_changes_are_named() -> None:
    text = Texts("en")
    assert rules_line(text, EXPRESS) == "express"
    assert rules_line(text, FRIDAY) == (
        "classic + 1 house rule, 2 changed settings (jump_in=on, target=300, wild_four=strict)"
    )
    assert changed_fields(FRIDAY) == {
        "house_rules": ["jump_in"],
        "changed_settings": {"target": 300, "wild_four": "strict"},
    }


def test_rules_that_cannot_be_read_have_no_changes() -> None:
    assert changed_fields(None) == {"house_rules": [], "changed_settings": {}}


def test_the_changes_make_the_same_rules_again() -> None:
    """As `--preset` and `--set`; a setting that makes no difference is left out."""
    assert changed_pairs(EXPRESS) == []
    pairs = changed_pairs(FRIDAY)
    assert ("wild_four", "strict") in pairs
    assert ("jump_in", "on") in pairs
    assert changed_rules("classic", pairs) == msgspec.structs.replace(
        FRIDAY, target_two=FRIDAY.target
    )
    idle = Ruleset(laps=7)
    assert "laps" not in dict(changed_pairs(idle)), "no short game is played"


def test_the_number_of_seats_decides_which_changes_matter() -> None:
    rules = Ruleset(target=300, target_two=200)
    assert dict(changed_pairs(rules, 2)) == {"target_two": "200"}
    assert dict(changed_pairs(rules, 3)) == {"target": "300"}


@pytest.mark.parametrize(
    ("value", "option", "plain"),
    [
        (True, "on", True),
        (False, "off", False),
        (WildFour.STRICT, "strict", "strict"),
        (300, "300", 300),
    ],
)
def test_a_value_for_the_command_line_and_for_json(
    value: int, option: str, plain: int | str | bool
) -> None:
    assert option_value(value) == option
    assert plain_value(value) == plain
    assert type(plain_value(value)) is type(plain)
