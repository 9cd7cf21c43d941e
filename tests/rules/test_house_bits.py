"""Sets of house rules as numbers, as adverts carry them."""

from __future__ import annotations

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.house_bits import MOST_HOUSE_RULES, house_bits, house_names


def test_house_rules_as_a_number_come_back() -> None:
    assert len(HOUSE_RULES) <= MOST_HOUSE_RULES
    for name in HOUSE_RULES:
        assert house_names(house_bits([name])) == (name,)
    everything = tuple(HOUSE_RULES)
    assert house_names(house_bits(everything)) == everything
    assert house_bits(()) == 0
    assert house_names((1 << MOST_HOUSE_RULES) - 1) == everything, "unknown bits are ignored"


def test_the_first_rule_of_the_registry_is_the_lowest_bit() -> None:
    assert house_bits(["stack_draw_two"]) == 1
    assert house_bits(["jump_in", "stack_draw_two"]) == 0b10001
    assert house_names(0b100000001) == ("stack_draw_two", "winner_deals")
