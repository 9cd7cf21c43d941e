"""Seven zero: after a 7 its player swaps hands with another seat; after a 0 all hands move on."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Swap
from lanuno.rules.engine.events import HandsMoved
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Manners, Ruleset
from tests.rules.engine.small_tables import lay, small_table
from tests.rules.told_rules import rules_by_id

RULES = Ruleset(seven_zero=True)


def test_a_seven_swaps_two_hands() -> None:
    table = small_table({0: "r7 b1 b2"}, rules=RULES)
    mine, theirs = table.hand(0)[1:], table.hand(2)
    lay(table, 0, "r7")
    assert (table.round.phase, table.round.decider) == (RoundPhase.QUESTION, 0)
    table.act(0, Swap(2))
    assert (table.hand(0), table.hand(2)) == (theirs, mine)
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 1)


def test_a_zero_moves_all_hands() -> None:
    table = small_table({0: "r0 b1 b2"}, rules=RULES)
    first, second, third = table.hand(0)[1:], table.hand(1), table.hand(2)
    lay(table, 0, "r0")
    assert (table.hand(0), table.hand(1), table.hand(2)) == (third, first, second)
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 1)


@pytest.mark.parametrize("start", ["r7", "r0"])
def test_a_starting_card_moves_no_hand(start: str) -> None:
    table = small_table(start=start, rules=RULES)
    assert not any(isinstance(event, HandsMoved) for event in table.events)
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 0)


@pytest.mark.parametrize("rank", ["r7", "r0"])
def test_no_hand_moves_without_the_rule(rank: str) -> None:
    table = small_table({0: f"{rank} b1 b2"})
    events = lay(table, 0, rank)
    assert not any(isinstance(event, HandsMoved) for event in events)
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 1)


@pytest.mark.parametrize("manners", Manners)
def test_the_rulebook_tells_that_hands_move(manners: Manners) -> None:
    rules = rules_by_id(Ruleset(seven_zero=True, manners=manners))
    assert {"house.seven_zero_start", "house.seven_zero_out", "house.seven_zero_uno"} <= set(rules)
    assert ("house.seven_zero_honour" in rules) is (manners is Manners.HONOUR)
    assert "cards.trade_house" in rules
    assert "cards.trade_never" not in rules
    assert "timers.swap" in rules
