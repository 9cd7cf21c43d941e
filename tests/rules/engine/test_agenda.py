"""The steps that need no decision, and where they wait for the table."""

from __future__ import annotations

from lanuno.rules.engine.actions import Draw, Keep
from lanuno.rules.engine.events import DrawReason, NothingToDraw, Passed, TurnStarted
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.table_of_cards import CardTable, stacked


def test_who_can_draw_nothing_has_passed() -> None:
    """An event reports the pass, and the turn continues."""
    rules = Ruleset(hand_size=20)
    deck = stacked({}, "r0", order=(0, 1, 2, 3, 4), size=20)
    table = CardTable.deal(rules, 5, deck=deck)
    game = table.round
    while game.pile_next < game.pile_end:
        assert game.decider is not None
        table.act(game.decider, Draw())
        table.act(game.decider, Keep())
    seat = game.decider
    assert seat is not None
    table.act(seat, Draw())
    following = (seat + 1) % 5
    assert table.last == [
        NothingToDraw(seat, 1, DrawReason.TURN),
        Passed(seat),
        TurnStarted(following),
    ]
