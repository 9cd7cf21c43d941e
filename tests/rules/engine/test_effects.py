"""How a card takes effect, when it is played and when it starts the discard pile."""

from __future__ import annotations

from lanuno.rules.engine.events import OpenNeeded, Reshuffled, ShuffleNeeded, StartingCardReturned
from lanuno.rules.engine.round import Round
from lanuno.rules.presets import CLASSIC
from tests.harness.rounds.table_of_cards import card


def test_a_returned_starting_card_goes_in_with_the_locked_slots() -> None:
    four = card("w4")
    game = Round(CLASSIC, (0, 1), 1)
    game.start()
    game.shuffled()
    events = game.opened(14, four)
    assert events == [
        StartingCardReturned(14, four),
        ShuffleNeeded(1, (four,), tuple(range(15, 108)), 108),
    ]
    events = game.shuffled()
    assert events[0] == Reshuffled(94)
    assert events[1] == OpenNeeded(3, (108,), None)
    assert game.opened(108, 0)
    assert (game.pile_next, game.pile_end) == (109, 202)
