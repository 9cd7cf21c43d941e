"""No bluff: a Wild Draw Four is illegal with the current colour in hand, without any challenge."""

from __future__ import annotations

from msgspec.structs import replace

from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.rule import WhenChecked
from lanuno.rules.ruleset import Ruleset, WildFour


def _amend(rules: Ruleset) -> Ruleset:
    if rules.wild_four is WildFour.BLUFF:
        return replace(rules, wild_four=WildFour.STRICT)
    return rules


NO_BLUFF = HouseRule(
    "no_bluff",
    WhenChecked.AUDIT,
    replaced=lambda rules: rules.wild_four is not WildFour.BLUFF,
    amend=_amend,
)
