"""Forced play: a drawn card that fits has to be played."""

from __future__ import annotations

from msgspec.structs import replace

from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.rule import WhenChecked
from lanuno.rules.ruleset import DrawnRule, Ruleset


def _amend(rules: Ruleset) -> Ruleset:
    return replace(rules, drawn=DrawnRule.FORCED)


FORCED_PLAY = HouseRule(
    "forced_play", WhenChecked.AUDIT, replaces=frozenset({"drawn"}), amend=_amend
)
