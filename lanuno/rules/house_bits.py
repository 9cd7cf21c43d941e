"""A set of house rules as a number in an advert, and what a ruleset leaves to the audit. Pure.

Not here: which settings are house rules, and when each is checked (settings.py); the checks
themselves (engine/legality.py), which a test holds to those marks.
"""

from __future__ import annotations

from collections.abc import Collection

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.rule import WhenChecked
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SETTINGS

MOST_HOUSE_RULES = 16
"""Bits that an advert has for house rules, those of later versions included."""


def house_bits(house: Collection[str]) -> int:
    """The set of these house rules as a number: the first of all has the lowest bit."""
    return sum(1 << place for place, name in enumerate(HOUSE_RULES) if name in house)


def house_names(bits: int) -> tuple[str, ...]:
    """The house rules of such a number that this version knows."""
    return tuple([name for place, name in enumerate(HOUSE_RULES) if bits >> place & 1])


def checked_at_audit(ruleset: Ruleset) -> tuple[str, ...]:
    """The settings of this ruleset that only the audit can check, in wire order."""
    return tuple(
        [
            name
            for name, setting in SETTINGS.items()
            if setting.checked is WhenChecked.AUDIT and getattr(ruleset, name)
        ]
    )
