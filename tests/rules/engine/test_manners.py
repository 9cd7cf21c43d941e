"""Table manners: cards laid on honour, objections, and votes on advice."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Object, Play
from lanuno.rules.engine.manners import Matter
from lanuno.rules.errors import IllegalAction
from lanuno.rules.presets import CLASSIC
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked


@pytest.mark.parametrize(
    ("matter", "why"), [(Matter.CARD, ActRefusal.WRONG_MOMENT), (Matter.VOTE, ActRefusal.NO_VOTING)]
)
def test_nothing_to_settle(matter: Matter, why: ActRefusal) -> None:
    table = CardTable.deal(CLASSIC)
    with pytest.raises(IllegalAction) as caught:
        table.settle(matter)
    assert caught.value.refusal is why


def test_a_card_taken_back_is_known_to_all() -> None:
    rules = Ruleset(manners=Manners.HONOUR)
    deck = stacked({0: "b5"}, "r0", order=(0, 1))
    table = CardTable.deal(rules, 2, deck=deck)
    five = card("b5")
    slot = table.slot_of(0, five)
    table.act(0, Play(slot, five))
    table.act(1, Object())
    game = table.round
    assert game.face_up[slot] == five
    while game.decider != 0:
        table.act(1, game.time_out())
    assert game.refusal(0, Play(slot, card("r6"))) is ActRefusal.WRONG_CARD
    assert Play(slot, five) in game.legal(0, {})
