"""A seat leaves in the middle of a round."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Play
from lanuno.rules.engine.events import (
    OpenNeeded,
    RoundEnding,
    RoundOver,
    SeatLeft,
    ShuffleNeeded,
    UnoLapsed,
)
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import CLASSIC, PAIRS
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked
from tests.rules.engine.small_tables import lay, seen, small_table


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
    assert [needed.slots for needed in game.opens] == [(9, 10)]
    for slot in (9, 10):
        game.opened(slot, slot)
    assert game.decider == 2
    assert phase(game) is RoundPhase.TURN
    assert game.penalty == 0


def test_the_hand_of_a_leaver_is_opened_under_the_discard_pile() -> None:
    table = small_table(seats=4)
    game = table.round
    hand = tuple(game.hands[2])
    bottom = list(game.discard)
    events = table.drop(2)
    assert events[0] == SeatLeft(2, hand)
    assert OpenNeeded(5, hand, None) in events
    assert set(game.discard) == {*((slot, table.cards[slot]) for slot in hand), *bottom}
    assert game.discard[-1] == bottom[-1]
    assert (game.seats, 2 in game.hands) == ((0, 1, 3), False)


@pytest.mark.parametrize(("leaver", "decider"), [(0, 1), (1, 0), (2, 0)])
def test_only_the_turn_of_the_leaver_passes_on(leaver: int, decider: int) -> None:
    table = small_table()
    table.drop(leaver)
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, decider)


def test_a_leaver_no_longer_owes_uno() -> None:
    table = small_table({0: "r1 b1"})
    lay(table, 0, "r1")
    assert UnoLapsed(0) in table.drop(0)
    assert table.round.uno_owed is None


@pytest.mark.parametrize(
    ("rules", "seats"), [(CLASSIC, 2), (PAIRS, 4)], ids=["two_players", "partners"]
)
def test_a_round_that_cannot_continue_is_void(rules: Ruleset, seats: int) -> None:
    table = small_table(rules=rules, seats=seats)
    table.act(0, table.round.clock_action())
    events = table.drop(1)
    assert seen(events)[-1] == RoundOver(RoundEnding.VOID, None)
    result = table.round.reveal(table.cards)
    assert (result.winners, result.left) == ((), (1,))


@pytest.mark.parametrize(("leaver", "over"), [(0, True), (1, True), (2, False)])
def test_a_round_is_void_if_another_seat_holds_cards_of_the_leaver(leaver: int, over: bool) -> None:
    """The other seat could not open them without the keys of the leaver."""
    table = small_table({0: "r7 b1 b2"}, rules=Ruleset(seven_zero=True))
    lay(table, 0, "r7")
    table.act(0, table.round.clock_action())
    assert table.round.first_owner[table.round.hands[0][0]] == 1
    table.drop(leaver)
    assert table.round.over is over
