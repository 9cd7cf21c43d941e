"""The registry of house rules, and those that are on in a ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lanuno.rules.engine.house_rules.draw_until_playable import DRAW_UNTIL_PLAYABLE
from lanuno.rules.engine.house_rules.forced_play import FORCED_PLAY
from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.engine.house_rules.jump_in import JUMP_IN
from lanuno.rules.engine.house_rules.no_bluff import NO_BLUFF
from lanuno.rules.engine.house_rules.seven_zero import SEVEN_ZERO
from lanuno.rules.engine.house_rules.stacking import STACK_CROSS, STACK_DRAW_TWO, STACK_WILD_FOUR
from lanuno.rules.engine.house_rules.winner_deals import WINNER_DEALS
from lanuno.rules.ruleset import Ruleset

HOUSE_RULES: Final[Mapping[str, HouseRule]] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            STACK_DRAW_TWO,
            STACK_WILD_FOUR,
            STACK_CROSS,
            SEVEN_ZERO,
            JUMP_IN,
            DRAW_UNTIL_PLAYABLE,
            FORCED_PLAY,
            NO_BLUFF,
            WINNER_DEALS,
        )
    }
)
"""By setting. The order is that of the bits in an advert: add a new rule at the end."""


def house_rules_of(ruleset: Ruleset) -> tuple[HouseRule, ...]:
    """Return the house rules that are on."""
    return tuple([rule for name, rule in HOUSE_RULES.items() if getattr(ruleset, name)])


def amended(ruleset: Ruleset) -> Ruleset:
    """Return the settings as they are played with the house rules that are on."""
    for rule in house_rules_of(ruleset):
        ruleset = rule.amend(ruleset)
    return ruleset
