"""How a card takes effect, when it is played and when it starts the discard pile."""

from __future__ import annotations

import pytest

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.effects import apply_card, take_penalty
from lanuno.rules.engine.events import (
    DrawReason,
    Drew,
    GameEvent,
    OpenNeeded,
    Reshuffled,
    RoundEnding,
    RoundOver,
    ShuffleNeeded,
    StartingCard,
    StartingCardReturned,
    TurnStarted,
)
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import AgendaStep, RoundPhase
from lanuno.rules.presets import CLASSIC
from tests.harness.rounds.table_of_cards import card
from tests.rules.engine.small_tables import lay, play_of, seen, small_table


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


def test_a_starting_number_lets_the_seat_on_the_dealers_left_begin() -> None:
    table = small_table(start="r5")
    slot = table.round.discard[0][0]
    assert table.events[-2:] == [StartingCard(slot, card("r5")), TurnStarted(0)]
    game = table.round
    assert (game.top, game.colour, game.played) == (card("r5"), Colour.RED, False)
    assert game.face_up == {slot: card("r5")}


def test_a_starting_wild_card_asks_for_a_colour_first() -> None:
    table = small_table(start="w")
    assert (table.round.phase, table.round.decider) == (RoundPhase.COLOUR, 0)
    assert table.round.turns == 0


@pytest.mark.parametrize(
    ("last", "drawn"), [("r2", 0), ("rs", 0), ("rv", 0), ("w", 0), ("r+2", 2), ("w4", 4)]
)
def test_a_last_card_only_makes_the_next_seat_draw(last: str, drawn: int) -> None:
    table = small_table({0: f"r1 {last}"})
    lay(table, 0, "r1", uno=True)
    for seat in (1, 2):
        table.act(seat, Draw())
        table.act(seat, table.round.clock_action())
    colour = Colour.BLUE if last.startswith("w") else None
    events = seen(table.act(0, play_of(table, 0, last, colour)))
    first = table.round.pile_next - drawn
    drew = Drew(1, tuple(range(first, first + drawn)), DrawReason.PENALTY)
    assert events[-1] == RoundOver(RoundEnding.OUT, 0)
    assert [event for event in events if isinstance(event, Drew)] == ([drew] if drawn else [])
    assert not any(isinstance(event, TurnStarted) for event in events)


def test_a_penalty_comes_before_all_other_steps() -> None:
    game = small_table().round
    game.penalty, game.agenda = 6, [(AgendaStep.FINISH, 0, RoundEnding.OUT, 0)]
    take_penalty(game, 1)
    assert game.penalty == 0
    assert game.agenda == [
        (AgendaStep.DRAW, 1, 6, DrawReason.PENALTY),
        (AgendaStep.LOSE, 1, 0, 0),
        (AgendaStep.NEXT, 1, 0, 0),
        (AgendaStep.FINISH, 0, RoundEnding.OUT, 0),
    ]


def test_the_card_of_a_leaver_takes_effect() -> None:
    """A right card on honour stays when its player leaves; that player has no hand any more."""
    game = small_table(seats=4).round
    game.drop(0)
    game.agenda.clear()
    events: list[GameEvent] = []
    apply_card(game, 0, card("rs"), events)
    assert game.agenda == [(AgendaStep.LOSE, 1, 0, 0), (AgendaStep.NEXT, 1, 0, 0)]
