"""Random rounds under random rules: the engine and the referee agree after every act."""

from __future__ import annotations

import random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from lanuno.rules.ruleset import Format, Manners, Ruleset
from tests.harness.rounds.random_play import choose, everybodys_acts, fitting, rulesets
from tests.harness.rounds.table_of_cards import CardTable
from tests.rules.referee import Referee

MOVES = 150


@settings(max_examples=200)
@given(
    rulesets,
    st.integers(2, 6),
    st.integers(0, 2**32),
    st.none() | st.tuples(st.sampled_from([0, 1, 2, 4]), st.booleans()),
)
def test_both_see_the_same_round(
    ruleset: Ruleset, seats: int, seed: int, short: tuple[int, bool] | None
) -> None:
    """They agree on cards, questions, direction, colour, penalties, turns, and the end."""
    one_round = Format.LAPS if ruleset.format is Format.LAPS else Format.POINTS
    rules: Ruleset = msgspec.structs.replace(
        fitting(ruleset, seats), format=one_round, manners=Manners.ENFORCED, advice=False
    )
    dealer = seed % seats
    table = CardTable.deal(rules, seats, seed=seed, dealer=dealer)
    game, chance = table.round, random.Random(seed)
    referee = Referee(rules, seats, dealer, game.deck.faces[game.top])
    if short is not None and not game.over:
        left, held = min(short[0], referee.pile), short[1]
        table.run_down(left, 0 if held else None)
        if held:
            referee.held[0] += referee.pile - left
        else:
            referee.discards += referee.pile - left
        referee.pile = left
    same(table, referee)
    for _ in range(MOVES):
        if game.over:
            break
        acts = everybodys_acts(table)
        seat, action = choose(acts, chance, hoarding=chance.choice((0, 0, 0.5)), playing=0.6)
        hand = [game.deck.faces[card] for card in table.hand(seat)]
        table.act(seat, action)
        referee.act(seat, action, game.deck.faces, hand)
        same(table, referee)


def same(table: CardTable, referee: Referee) -> None:
    """Check that everything known to both is equal."""
    game = table.round
    decider = game.decider
    assert referee.asked == (None if decider is None else (game.phase.name, decider))
    assert referee.held == [len(game.hands[seat]) for seat in game.seats]
    assert (referee.pile, referee.discards) == (game.pile_end - game.pile_next, len(game.discard))
    assert referee.step == game.direction
    assert (-1 if referee.colour is None else int(referee.colour)) == game.colour
    assert (referee.owed, referee.pending) == (game.uno_owed, game.penalty)
    assert (referee.turns, referee.out) == (game.turns, game.out)
    assert referee.ending == (None if game.ending is None else game.ending.name)
