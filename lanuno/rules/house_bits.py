"""A set of house rules as a number, as adverts carry it.

Not here: which settings are house rules, and their order (engine/house_rules/registry.py).
"""

from __future__ import annotations

from collections.abc import Collection

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES

MOST_HOUSE_RULES = 16
"""Bits that an advert has for house rules, those of later versions included."""


def house_bits(house: Collection[str]) -> int:
    """The set of these house rules as a number: the first of all has the lowest bit."""
    return sum(1 << place for place, name in enumerate(HOUSE_RULES) if name in house)


def house_names(bits: int) -> tuple[str, ...]:
    """The house rules of such a number that this version knows."""
    return tuple([name for place, name in enumerate(HOUSE_RULES) if bits >> place & 1])
