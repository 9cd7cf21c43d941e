"""Which rules every peer checks live, and which only the audit can check. Data only.

Here: a mark for every house rule and for the settings that depend on hidden hands, and the number
that stands for a set of house rules in an advert. Not here: the checks themselves
(engine/legality.py); a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum, unique

from lanuno.rules.ruleset import DrawnRule, DrawRule, Ruleset, WildFour


@unique
class WhenChecked(IntEnum):
    """When a breach of a rule is found."""

    LIVE = 0  # at once, by what everybody can see
    AUDIT = 1  # after the round, when all hands are known


HOUSE_RULES: dict[str, WhenChecked] = {
    "stack_draw_two": WhenChecked.LIVE,
    "stack_wild_four": WhenChecked.LIVE,
    "stack_cross": WhenChecked.LIVE,
    "seven_zero": WhenChecked.LIVE,
    "jump_in": WhenChecked.LIVE,
    "draw_until_playable": WhenChecked.AUDIT,
    "forced_play": WhenChecked.AUDIT,
    "no_bluff": WhenChecked.AUDIT,
    "winner_deals": WhenChecked.LIVE,
}
"""By setting; all are off by default. A new one comes last: its place is its bit in an advert."""

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
    hidden = {
        "wild_four": ruleset.wild_four is not WildFour.BLUFF,
        "draw": ruleset.draw is not DrawRule.FREE,
        "drawn": ruleset.drawn is not DrawnRule.FREE,
        **{
            name: getattr(ruleset, name)
            for name, check in HOUSE_RULES.items()
            if check is WhenChecked.AUDIT
        },
    }
    return tuple([name for name in Ruleset.__struct_fields__ if hidden.get(name)])
