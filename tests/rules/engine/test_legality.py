"""Whether an act is legal, with none, some or all of the hidden cards known."""

from __future__ import annotations

from lanuno.rules.engine.actions import Play
from lanuno.rules.presets import CLASSIC
from lanuno.rules.refusals import ActRefusal
from tests.harness.rounds.table_of_cards import CardTable, card, stacked


def test_wrong_cards_on_paper() -> None:
    """A card is refused if the deck does not have it, or the slot is known to hold another."""
    table = CardTable.deal(CLASSIC, 2, deck=stacked({0: "r5"}, "r0", order=(0, 1)))
    slot = table.slot_of(0, card("r5"))
    game = table.round
    assert game.refusal(0, Play(slot, 108)) is ActRefusal.NO_SUCH_CARD
    assert game.refusal(0, Play(slot, -1)) is ActRefusal.NO_SUCH_CARD
    assert game.refusal(0, Play(slot, card("r6")), table.cards) is ActRefusal.WRONG_CARD
    assert game.refusal(0, Play(slot, card("r6"))) is None
