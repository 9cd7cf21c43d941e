"""Winner deals: the sole winner of a round deals the next one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.house_rules.winner_deals import WINNER_DEALS
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.presets import CLASSIC
from lanuno.rules.ruleset import FOUR_SEAT_FORMATS, Format
from tests.rules.match.played_rounds import begun, next_dealer, play
from tests.rules.told_rules import rules_by_id

RULES = replace(CLASSIC, winner_deals=True)


@pytest.mark.parametrize(
    ("winners", "dealer"), [((), None), ((2,), 2), ((0, 2), None)], ids=["none", "one", "shared"]
)
def test_only_a_sole_winner_deals(winners: tuple[int, ...], dealer: int | None) -> None:
    result = RoundResult(RoundEnding.LAPS, (0, 1, 2), winners, (1, 1, 1), (1, 1, 1))
    assert WINNER_DEALS.next_dealer is not None
    assert WINNER_DEALS.next_dealer(result) == dealer


def test_the_winner_deals_the_next_round() -> None:
    match = begun(RULES, 3, 0)
    play(match, 2, 1, 1, 0)
    assert next_dealer(match) == 2
    play(match, None, 5, 5, 5, ending=RoundEnding.BLOCKED)
    assert next_dealer(match) == 0


@pytest.mark.parametrize("of", Format)
def test_it_conflicts_with_formats_in_which_every_seat_deals_in_turn(of: Format) -> None:
    rules = replace(RULES, format=of)
    in_turn = of in FOUR_SEAT_FORMATS
    assert WINNER_DEALS.conflict(rules) == ("format" if in_turn else None)
    assert WINNER_DEALS.matters(rules) is not in_turn


def test_the_rulebook_tells_that_the_winner_deals() -> None:
    rules = rules_by_id(RULES)
    assert "deal.next_winner" in rules
    assert "deal.next" not in rules
