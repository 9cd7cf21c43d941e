"""The deal, the draw pile, and its reshuffle."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.events import (
    DrawReason,
    Drew,
    GameEvent,
    NothingToDraw,
    OpenNeeded,
    Reshuffled,
    ShuffleNeeded,
    UnoLapsed,
)
from lanuno.rules.engine.pile import draw, nothing_left
from lanuno.rules.engine.state import AgendaStep
from lanuno.rules.presets import CLASSIC
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.rounds.table_of_cards import CardTable
from tests.rules.engine.small_tables import lay, seen, small_table


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    table = CardTable.deal(CLASSIC, 3, dealer=1, seed=1)
    assert table.round.hands == {
        2: list(range(0, 21, 3)),
        0: list(range(1, 21, 3)),
        1: list(range(2, 21, 3)),
    }
    assert list(table.round.hands) == [0, 1, 2]


def test_a_draw_that_exceeds_the_pile_continues_after_the_shuffle() -> None:
    table = small_table()
    table.run_down(1, None)
    game = table.round
    last, under = game.pile_next, tuple(card for _, card in game.discard[:-1])
    events: list[GameEvent] = []
    draw(game, 1, 3, DrawReason.PENALTY, events)
    assert seen(events) == [
        Drew(1, (last,), DrawReason.PENALTY),
        ShuffleNeeded(1, under, (), game.pile_end),
    ]
    assert game.agenda == [(AgendaStep.DRAW, 1, 2, DrawReason.PENALTY)]
    assert len(game.discard) == 1
    assert set(game.face_up) == {game.discard[0][0]}
    events = table.serve()
    new = game.pile_end - len(under)
    assert seen(events) == [
        Reshuffled(len(under)),
        Drew(1, (new, new + 1), DrawReason.PENALTY),
    ]


def test_cards_that_are_nowhere_are_not_drawn() -> None:
    table = small_table()
    table.run_down(1, 0)
    game = table.round
    assert not nothing_left(game)
    last = game.pile_next
    events: list[GameEvent] = []
    draw(game, 1, 4, DrawReason.PENALTY, events)
    assert nothing_left(game)
    assert seen(events) == [
        Drew(1, (last,), DrawReason.PENALTY),
        NothingToDraw(1, 3, DrawReason.PENALTY),
    ]
    assert (game.shuffle, game.agenda) == (None, [])


def test_what_a_seat_that_has_left_draws_counts_for_it_and_is_opened() -> None:
    table = small_table()
    table.drop(2)
    held, next_card = table.round.left_hands[2].copy(), table.round.pile_next
    events: list[GameEvent] = []
    draw(table.round, 2, 2, DrawReason.UNO, events)
    slots = (next_card, next_card + 1)
    assert events == [
        Drew(2, slots, DrawReason.UNO),
        OpenNeeded(table.round.need - 1, slots, None),
    ]
    assert table.round.left_hands[2] == [*held, *slots]
    table.serve()
    assert table.round.discard[0] == (slots[1], table.cards[slots[1]])


@pytest.mark.parametrize("manners", Manners)
def test_the_card_below_a_card_on_trial_is_not_shuffled(manners: Manners) -> None:
    """It would be the top card again after an objection."""
    table = small_table({0: "r1 b1 b2"}, rules=Ruleset(manners=manners))
    lay(table, 0, "r1")
    table.round.pile_next = table.round.pile_end
    assert nothing_left(table.round) is (manners is Manners.HONOUR)


def test_only_a_voluntary_draw_can_be_played() -> None:
    table = small_table()
    first = table.round.pile_next
    draw(table.round, 0, 1, DrawReason.UNO, [])
    assert table.round.drawn is None
    draw(table.round, 0, 1, DrawReason.TURN, [])
    assert table.round.drawn == first + 1


def test_a_seat_with_more_than_one_card_no_longer_owes_uno() -> None:
    table = small_table({0: "r1 b1"})
    lay(table, 0, "r1")
    events: list[GameEvent] = []
    draw(table.round, 0, 1, DrawReason.ADVICE, events)
    assert events[-1] == UnoLapsed(0)
    assert table.round.uno_owed is None


def test_an_answer_to_the_hand_before_a_draw_is_stale() -> None:
    table = small_table()
    before = table.round.decision
    draw(table.round, 1, 1, DrawReason.UNO, [])
    assert table.round.decision == before
    draw(table.round, 0, 1, DrawReason.UNO, [])
    assert table.round.decision == before + 1


@pytest.mark.parametrize("moving", [False, True])
def test_first_owners_are_recorded_only_if_hands_can_move(moving: bool) -> None:
    table = small_table(rules=Ruleset(seven_zero=moving))
    table.act(0, Draw())
    game = table.round
    owners = {slot: seat for seat, hand in game.hands.items() for slot in hand}
    assert game.first_owner == (owners if moving else {})


def test_each_request_to_open_has_a_number_of_its_own() -> None:
    table = small_table(pile="y4 y5")
    table.act(0, Draw())
    table.act(0, table.round.clock_action())
    table.act(1, Draw())
    needs = [event.need for event in table.events if isinstance(event, OpenNeeded)]
    assert needs == list(range(len(needs)))
    assert table.round.need == len(needs)
