"""The interface of the engine: what the table may call, and when."""

from __future__ import annotations

import doctest

import pytest

from lanuno.rules.engine import round as engine
from lanuno.rules.engine.actions import Draw, Play
from lanuno.rules.engine.events import OpenNeeded, ShuffleNeeded
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.errors import IllegalAction, RulesError
from lanuno.rules.presets import CLASSIC
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked


def test_examples() -> None:
    assert doctest.testmod(engine).failed == 0


def phase(game: Round) -> RoundPhase:
    """Return the phase; a call stops mypy from narrowing the property."""
    return game.phase


@pytest.mark.parametrize(
    ("seats", "dealer"), [((0,), 0), ((0, 0), 0), ((0, 1), 2)], ids=["one", "twice", "dealer"]
)
def test_a_round_needs_two_seats_and_its_dealer_among_them(
    seats: tuple[int, ...], dealer: int
) -> None:
    with pytest.raises(RulesError, match="two or more"):
        Round(CLASSIC, seats, dealer)


def test_the_order_of_a_round() -> None:
    game = Round(CLASSIC, (0, 1), 0)
    assert phase(game) is RoundPhase.NEW
    assert game.refusal(0, Draw()) is ActRefusal.WAITING
    with pytest.raises(RulesError, match="no shuffle"):
        game.shuffled()
    with pytest.raises(RulesError, match="nobody"):
        game.clock_action()
    assert game.start() == [ShuffleNeeded(0, tuple(range(108)), (), 0)]
    assert phase(game) is RoundPhase.SHUFFLE
    with pytest.raises(RulesError, match="has started"):
        game.start()
    with pytest.raises(RulesError, match="not asked for"):
        game.opened(0, 0)
    game.shuffled()
    assert phase(game) is RoundPhase.OPEN
    assert game.opens == [OpenNeeded(2, (14,), None)]
    with pytest.raises(RulesError, match="no such card"):
        game.opened(14, 108)
    with pytest.raises(IllegalAction) as caught:
        game.settle(Matter.CARD)
    assert caught.value.refusal is ActRefusal.WAITING
    game.opened(14, 0)
    assert phase(game) is RoundPhase.TURN
    with pytest.raises(IllegalAction):
        game.act(0, Draw())
    with pytest.raises(RulesError, match="not over"):
        game.reveal({})


def test_a_result_needs_every_hand() -> None:
    deck = stacked({0: "rs r1", 1: "w w4"}, "r0", order=(0, 1), size=2)
    table = CardTable.deal(Ruleset(hand_size=2), 2, deck=deck)
    for name in ("rs", "r1"):
        held = card(name)
        table.act(0, Play(table.slot_of(0, held), held))
    with pytest.raises(RulesError, match="not revealed"):
        table.round.reveal({})
    with pytest.raises(RulesError, match="not revealed"):
        table.round.reveal(dict.fromkeys(table.cards, 108))
    assert table.round.reveal(table.cards).points == (0, 100)
