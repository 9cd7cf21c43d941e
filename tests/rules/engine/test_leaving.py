"""A seat leaves in the middle of a round."""

from __future__ import annotations

from lanuno.rules.engine.actions import Play
from lanuno.rules.engine.events import ShuffleNeeded
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import CLASSIC
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked


def phase(game: Round) -> RoundPhase:
    """Return the phase; a call stops mypy from narrowing the property."""
    return game.phase


def test_leaving_before_the_deal() -> None:
    game = Round(CLASSIC, (0, 1, 2), 1)
    game.start()
    events = game.drop(1)
    assert game.shuffle == ShuffleNeeded(1, tuple(range(108)), (), 0)
    assert events[-1] == game.shuffle
    game.shuffled()
    assert set(game.hands) == {0, 2}
    game.opened(14, 0)
    assert game.decider == 2
    assert game.drop(1) == []


def test_leaving_before_the_deal_ends_a_round_of_two() -> None:
    game = Round(CLASSIC, (0, 1), 1)
    game.start()
    game.drop(0)
    assert game.over
    result = game.reveal({})
    assert result.left == (0,)
    assert result.winners == ()
    assert game.drop(1) == []


def test_leaving_before_the_starting_card_is_open() -> None:
    game = Round(CLASSIC, (0, 1, 2), 2)
    game.start()
    game.shuffled()
    game.drop(0)
    assert [needed.slots for needed in game.opens] == [(21,), tuple(range(0, 21, 3))]
    game.opened(0, 30)
    game.opened(21, 0)
    assert phase(game) is RoundPhase.OPEN
    for slot in range(3, 21, 3):
        game.opened(slot, 30 + slot)
    assert game.decider == 1
    assert [card for _, card in game.discard] == [48, 45, 42, 39, 36, 33, 30, 0]


def test_leaving_after_having_gone_out_changes_nothing_but_who_shuffles() -> None:
    deck = stacked({0: "rs r+2"}, "r0", order=(0, 1), size=2)
    table = CardTable.deal(Ruleset(hand_size=2), 2, deck=deck)
    skip, two = card("rs"), card("r+2")
    table.act(0, Play(table.slot_of(0, skip), skip))
    # Empty the pile as far as this round knows, so that the last card's draw has to wait.
    game = table.round
    game.pile_next = game.pile_end
    game.act(0, Play(table.slot_of(0, two), two))
    assert phase(game) is RoundPhase.SHUFFLE
    assert [type(event) for event in game.drop(0)] == [ShuffleNeeded]
    game.shuffled()
    assert game.over
    assert game.out == 0


def test_the_hit_player_leaves_before_it_is_asked() -> None:
    """A starting Draw Two could be passed on, and two seats leave while cards are opened."""
    game = Round(Ruleset(stack_draw_two=True, hand_size=2), (0, 1, 2, 3), 3)
    game.start()
    game.shuffled()
    game.drop(0)
    game.opened(8, card("r+2"))
    game.drop(1)
    for slot in (0, 4, 1, 5):
        game.opened(slot, slot)
    assert game.decider == 2
    assert phase(game) is RoundPhase.TURN
    assert game.penalty == 0
