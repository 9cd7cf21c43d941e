"""The registry of house rules: their order, and those that are on."""

from __future__ import annotations

from msgspec.structs import replace

from lanuno.rules.engine.house_rules.no_bluff import NO_BLUFF
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES, amended, house_rules_of
from lanuno.rules.engine.house_rules.stacking import STACK_CROSS
from lanuno.rules.engine.house_rules.winner_deals import WINNER_DEALS
from lanuno.rules.presets import CLASSIC
from lanuno.rules.ruleset import DrawnRule, Ruleset, WildFour


def test_every_house_rule_is_a_setting_that_is_off() -> None:
    assert len(HOUSE_RULES) == 9
    assert {getattr(CLASSIC, name) for name in HOUSE_RULES} == {False}
    assert {name: rule.name for name, rule in HOUSE_RULES.items()} == {
        name: name for name in HOUSE_RULES
    }


def test_the_bits_of_house_rules_do_not_change() -> None:
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


def test_the_rules_that_are_on_come_in_the_order_of_the_registry() -> None:
    assert house_rules_of(CLASSIC) == ()
    ruleset = Ruleset(winner_deals=True, no_bluff=True, stack_cross=True)
    assert house_rules_of(ruleset) == (STACK_CROSS, NO_BLUFF, WINNER_DEALS)


def test_the_amendments_add_up() -> None:
    assert amended(CLASSIC) == CLASSIC
    both = Ruleset(forced_play=True, no_bluff=True, hand_size=5)
    assert amended(both) == replace(both, drawn=DrawnRule.FORCED, wild_four=WildFour.STRICT)
