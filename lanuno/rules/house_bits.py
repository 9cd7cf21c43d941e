"""Sets of house rules as numbers, as adverts carry them.

engine/house_rules/registry.py lists the house rules and fixes their order.
"""

from __future__ import annotations

from collections.abc import Collection

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES

MOST_HOUSE_RULES = 16
"""The number of bits for house rules in an advert, including those of later versions."""


def house_bits(house: Collection[str]) -> int:
    """Return a set of house rules as a number; the first rule of the registry is the lowest bit."""
    return sum(1 << place for place, name in enumerate(HOUSE_RULES) if name in house)


def house_names(bits: int) -> tuple[str, ...]:
    """Return the house rules in such a number, without those that this version does not know."""
    return tuple([name for place, name in enumerate(HOUSE_RULES) if bits >> place & 1])
