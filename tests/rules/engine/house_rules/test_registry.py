"""The registry of house rules: their order, and those that are on."""

from __future__ import annotations

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import CLASSIC


def test_every_house_rule_is_a_setting_that_is_off() -> None:
    assert len(HOUSE_RULES) == 9
    assert {getattr(CLASSIC, name) for name in HOUSE_RULES} == {False}
    assert {name: rule.name for name, rule in HOUSE_RULES.items()} == {
        name: name for name in HOUSE_RULES
    }


def test_the_bits_of_house_rules_stay_what_they_are() -> None:
    """The bits are on the wire, so a new house rule must come last."""
    assert list(HOUSE_RULES) == [
        "stack_draw_two",
        "stack_wild_four",
        "stack_cross",
        "seven_zero",
        "jump_in",
        "draw_until_playable",
        "forced_play",
        "no_bluff",
        "winner_deals",
    ]
