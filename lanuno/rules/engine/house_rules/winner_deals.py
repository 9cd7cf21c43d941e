"""Winner deals: the sole winner of a round deals the next one."""

from __future__ import annotations

from collections.abc import Iterator

from lanuno.rules.cards import Seat
from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.rule import Rule, WhenChecked, live
from lanuno.rules.ruleset import FOUR_SEAT_FORMATS, Ruleset


def _next_dealer(result: RoundResult) -> Seat | None:
    return result.winners[0] if len(result.winners) == 1 else None


def _reword(_rules: Ruleset, said: Rule) -> Iterator[Rule]:
    yield live("deal.next_winner") if said.id == "deal.next" else said


WINNER_DEALS = HouseRule(
    "winner_deals",
    WhenChecked.LIVE,
    matters=lambda rules: rules.format not in FOUR_SEAT_FORMATS,
    conflict=lambda rules: "format" if rules.format in FOUR_SEAT_FORMATS else None,
    next_dealer=_next_dealer,
    reword=_reword,
)
