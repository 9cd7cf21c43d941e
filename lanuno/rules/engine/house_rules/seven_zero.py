"""Seven zero: after a 7 its player swaps hands with another seat; after a 0 all hands move on."""

from __future__ import annotations

from collections.abc import Iterator

from lanuno.rules.cards import Rank
from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.engine.moving_hands import PASS_HANDS, SWAP_HANDS
from lanuno.rules.rule import Rule, WhenChecked, live
from lanuno.rules.ruleset import Manners, Ruleset


def _details(rules: Ruleset) -> Iterator[Rule]:
    yield live("house.seven_zero_start")
    yield live("house.seven_zero_out")
    yield live("house.seven_zero_uno")
    if rules.manners is Manners.HONOUR:
        yield live("house.seven_zero_honour")


def _reword(_rules: Ruleset, said: Rule) -> Iterator[Rule]:
    yield live("cards.trade_house") if said.id == "cards.trade_never" else said


SEVEN_ZERO = HouseRule(
    "seven_zero",
    WhenChecked.LIVE,
    effects={Rank.SEVEN: SWAP_HANDS, Rank.ZERO: PASS_HANDS},
    details=_details,
    reword=_reword,
)
