"""Cards that make hands change owners."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Play
from lanuno.rules.engine.events import HandsMoved
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked


@pytest.mark.parametrize("rank", ["0", "7"])
def test_hands_stay_if_their_mover_leaves_before_the_card_takes_effect(rank: str) -> None:
    """On honour the effect waits for objections; a right card stays when its player leaves."""
    rules = Ruleset(hand_size=3, seven_zero=True, manners=Manners.HONOUR)
    deck = stacked({0: f"r{rank} b1 b2"}, "r5", order=(0, 1, 2, 3), size=3)
    table = CardTable.deal(rules, 4, deck=deck)
    table.act(0, Play(0, card(f"r{rank}")))
    held = {seat: list(table.round.hands[seat]) for seat in (1, 2, 3)}
    events = table.drop(0)
    assert not any(isinstance(event, HandsMoved) for event in events)
    assert table.round.hands == held
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 1)
