"""The simulated dealer serves the engine, shows cards to the right seats, and loses no card."""

from __future__ import annotations

from random import Random

import pytest

from lanuno.bots.simulated_dealer import CardsLost, SimulatedDealer, check_cards
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Challenge, Draw, Play, Show, Swap
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset


def dealt(ruleset: Ruleset, seed: int, seats: int = 3) -> tuple[Round, SimulatedDealer]:
    game = Round(ruleset, tuple(range(seats)), seats - 1)
    table = SimulatedDealer(game, Random(seed))
    table.start()
    return game, table


def test_each_seat_sees_its_own_hand_and_no_other() -> None:
    game, table = dealt(Ruleset(), 1)
    for seat in game.seats:
        assert set(table.known[seat]) == set(game.hands[seat])
        assert all(table.cards[slot] == card for slot, card in table.known[seat].items())


def test_the_same_chance_deals_the_same_cards() -> None:
    assert dealt(Ruleset(), 1)[1].cards == dealt(Ruleset(), 1)[1].cards
    assert dealt(Ruleset(), 1)[1].cards != dealt(Ruleset(), 2)[1].cards


def test_a_dealer_is_chosen() -> None:
    choosing = DealerRound(Ruleset(), (0, 1, 2))
    SimulatedDealer(choosing, Random(1)).start()
    assert choosing.reveal().dealer in (0, 1, 2)


def test_a_drawn_card_is_shown_to_its_drawer() -> None:
    game, table = next(
        each
        for each in (dealt(Ruleset(), seed) for seed in range(9))
        if each[0].stage is RoundPhase.TURN
    )
    seat = game.decider
    assert seat is not None
    table.serve(game.act(seat, Draw()))
    assert game.drawn in table.known[seat]
    assert all(game.drawn not in table.known[other] for other in game.seats if other != seat)


def first_play(ruleset: Ruleset, rank: Rank) -> tuple[Round, SimulatedDealer, int]:
    """Return the first round, by seed, whose first player lays a card of this rank."""
    for seed in range(500):
        game, table = dealt(ruleset, seed)
        seat = game.decider
        if seat is None or game.stage is not RoundPhase.TURN:
            continue
        for action in game.legal(seat, table.known[seat]):
            if isinstance(action, Play) and game.deck.ranks[action.card] == rank:
                table.serve(game.act(seat, action))
                return game, table, seat
    raise AssertionError("no such round")


def test_a_shown_hand_is_seen_by_the_challenger_alone() -> None:
    game, table, accused = first_play(Ruleset(), Rank.WILD_FOUR)
    challenger = game.decider
    assert challenger is not None
    table.serve(game.act(challenger, Challenge()))
    table.serve(game.act(accused, Show()))
    assert set(game.accused_hand) <= set(table.known[challenger])
    third = next(seat for seat in game.seats if seat not in (accused, challenger))
    assert not set(game.accused_hand) & set(table.known[third])


def test_a_swapped_hand_is_seen_by_its_new_owner() -> None:
    game, table, seat = first_play(Ruleset(seven_zero=True), Rank.SEVEN)
    other = next(each for each in game.seats if each != seat)
    table.serve(game.act(seat, Swap(other)))
    assert set(game.hands[seat]) <= set(table.known[seat])
    assert set(game.hands[other]) <= set(table.known[other])


def test_a_lost_or_doubled_card_is_noticed() -> None:
    game, table = dealt(Ruleset(), 1)
    check_cards(game, table.cards)
    slot = game.hands[0].pop()
    with pytest.raises(CardsLost):
        check_cards(game, table.cards)
    game.hands[0] += [slot, slot]
    with pytest.raises(CardsLost):
        check_cards(game, table.cards)
