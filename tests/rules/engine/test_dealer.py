"""Choosing the first dealer by card."""

from __future__ import annotations

from copy import deepcopy

import pytest

from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.events import DealerChosen, DealerTie, Dealt
from lanuno.rules.engine.results import DealerResult
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.errors import IllegalAction, RulesError
from lanuno.rules.presets import CLASSIC
from lanuno.rules.refusals import ActRefusal
from tests.harness.rounds.table_of_cards import CardTable, cards


def deck_with(names: str) -> list[int]:
    top = cards(names)
    return top + [card for card in range(108) if card not in top]


def chosen(names: str, seats: int) -> CardTable:
    return CardTable.choose_dealer(CLASSIC, seats, deck=deck_with(names))


def phase(game: DealerRound) -> RoundPhase:
    """Return the phase; a call stops mypy from narrowing the property."""
    return game.phase


def test_the_highest_number_deals() -> None:
    table = chosen("r3 b9 g4", 3)
    assert table.game.reveal({}) == DealerResult(1)
    assert table.game.over
    assert table.game.phase is RoundPhase.OVER
    assert table.events[-1] == DealerChosen(1)


def test_actions_and_wilds_count_nothing() -> None:
    assert chosen("w r1 b+2 w4 gs yv", 6).game.reveal({}) == DealerResult(1)


def test_the_tied_draw_again_from_the_same_pile() -> None:
    table = chosen("r9 b3 g9 r2 b5", 3)
    assert DealerTie((0, 2)) in table.events
    assert [event for event in table.events if isinstance(event, Dealt)][3:] == [
        Dealt(0, (3,)),
        Dealt(2, (4,)),
    ]
    assert table.game.reveal({}) == DealerResult(2)
    assert table.game.hands == {0: [0, 3], 1: [1], 2: [2, 4]}


def test_all_zero_is_a_tie_too() -> None:
    assert chosen("w w4 r1 r2", 2).game.reveal({}) == DealerResult(1)


def test_a_deck_used_up_over_ties() -> None:
    """No honest shuffle does this: both seats draw the same card again and again."""
    game = DealerRound(CLASSIC, (0, 1))
    game.start()
    game.shuffled()
    while not game.over:
        game.opened(game.opens[0].slots[0], 0)
    assert game.next_slot == 108
    assert game.dealer == 0


def test_no_seat_can_act() -> None:
    game = DealerRound(CLASSIC, (0, 1))
    game.start()
    assert game.phase is RoundPhase.SHUFFLE
    assert game.legal(0) == ()
    assert game.refusal(2, Draw()) is ActRefusal.NOT_SEATED
    with pytest.raises(IllegalAction) as caught:
        game.act(0, Draw())
    assert caught.value.refusal is ActRefusal.WRONG_MOMENT
    assert chosen("r1 r2", 2).game.refusal(0, Draw()) is ActRefusal.ROUND_OVER


def test_calls_out_of_order_are_refused() -> None:
    with pytest.raises(RulesError, match="two or more"):
        DealerRound(CLASSIC, (0,))
    game = DealerRound(CLASSIC, (0, 1))
    assert phase(game) is RoundPhase.NEW
    with pytest.raises(RulesError, match="no shuffle"):
        game.shuffled()
    with pytest.raises(RulesError, match="not over"):
        game.reveal({})
    game.start()
    with pytest.raises(RulesError, match="has started"):
        game.start()
    with pytest.raises(RulesError, match="not asked for"):
        game.opened(0, 0)
    game.shuffled()
    assert phase(game) is RoundPhase.OPEN
    with pytest.raises(RulesError, match="no such card"):
        game.opened(0, 108)
    with pytest.raises(RulesError, match="not asked for"):
        game.opened(2, 0)


def test_leaving() -> None:
    game = DealerRound(CLASSIC, (0, 1, 2))
    game.start()
    assert game.shuffle is not None
    assert game.shuffle.deal == 0
    game.drop(1)
    assert game.shuffle.deal == 1
    assert game.drop(1) == []
    game.shuffled()
    nine, one = cards("r9 r1")
    game.opened(0, one)
    game.opened(1, nine)
    assert game.dealer == 2
    assert game.drop(0) == []


def test_leaving_while_cards_are_opened() -> None:
    game = DealerRound(CLASSIC, (0, 1, 2))
    game.start()
    game.shuffled()
    nine, one, two = cards("r9 r1 r2")
    game.opened(0, nine)
    game.drop(0)
    game.opened(1, one)
    game.opened(2, two)
    assert game.dealer == 2


def test_the_last_one_there_deals() -> None:
    game = DealerRound(CLASSIC, (0, 1))
    game.start()
    game.drop(0)
    assert game.reveal() == DealerResult(1)
    assert game.shuffle is None


def test_a_copy_is_independent() -> None:
    game = DealerRound(CLASSIC, (0, 1, 2))
    states = {game.public_state()}
    game.start()
    states.add(game.public_state())
    earlier = deepcopy(game)
    before = earlier.public_state()
    assert before == game.public_state()
    game.shuffled()
    states.add(game.public_state())
    for slot in range(3):
        game.opened(slot, slot)
        states.add(game.public_state())
    assert len(states) == 6
    assert earlier.public_state() == before
    earlier.shuffled()
    assert earlier.opens
    assert earlier.decider is None
