"""Invariants of every state of every round, under any rules and with any seat leaving."""

from __future__ import annotations

from copy import deepcopy

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from lanuno.rules.cards import NO_COLOUR
from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import NOBODY, RoundPhase
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.rounds.invariants import (
    goes_on,
    knowledge_refuses,
    same_acts,
    whole_deck,
)
from tests.harness.rounds.random_play import (
    fitting,
    leavers,
    often,
    play_randomly,
    rulesets,
    seeds,
)
from tests.harness.rounds.table_of_cards import CardTable, shuffling

Short = tuple[int, bool]
short = st.tuples(st.sampled_from([0, 1, 2, 5]), st.booleans())
"""The number of cards left to draw, and whether one seat holds all others."""
short_piles = st.none() | short


def table_for(ruleset: Ruleset, seats: int, seed: int) -> CardTable:
    """Return a table before the deal."""
    game = Round(fitting(ruleset, seats), tuple(range(seats)), seed % seats)
    table = CardTable(game, shuffling(seed))
    table.call("start")
    return table


def short_table(ruleset: Ruleset, seats: int, seed: int, left: int, held: bool) -> CardTable:
    """Return a table with few cards to draw; the others are in the last hand or can be shuffled."""
    table = CardTable.deal(fitting(ruleset, seats), seats, seed=seed)
    if not table.round.over:
        table.run_down(min(left, table.round.pile_end - table.round.pile_next), 0 if held else None)
    return table


@given(rulesets, st.integers(2, 10), seeds, often, leavers)
def test_every_card_is_somewhere_exactly_once(
    ruleset: Ruleset, seats: int, seed: int, hoarding: float, leaving: float
) -> None:
    table = table_for(ruleset, seats, seed)
    play_randomly(table, seed, whole_deck, hoarding=hoarding, leaving=leaving)


@settings(max_examples=50)
@given(rulesets, st.integers(2, 5), seeds, often, leavers)
def test_refusal_and_legal_agree(
    ruleset: Ruleset, seats: int, seed: int, hoarding: float, leaving: float
) -> None:
    table = table_for(ruleset, seats, seed)
    play_randomly(table, seed, same_acts, hoarding=hoarding, leaving=leaving, moves=100)


@settings(max_examples=25)
@given(rulesets, st.integers(2, 5), seeds, often)
def test_knowing_more_refuses_more(
    ruleset: Ruleset, seats: int, seed: int, hoarding: float
) -> None:
    table = table_for(ruleset, seats, seed)
    play_randomly(table, seed, knowledge_refuses, hoarding=hoarding, moves=100)


@given(rulesets, st.integers(2, 10), seeds, often, leavers)
def test_there_is_always_an_honest_way_on(
    ruleset: Ruleset, seats: int, seed: int, hoarding: float, leaving: float
) -> None:
    table = table_for(ruleset, seats, seed)
    play_randomly(table, seed, goes_on, hoarding=hoarding, leaving=leaving)


@settings(max_examples=50)
@given(rulesets, st.integers(2, 10), seeds, often, leavers)
def test_the_public_state_follows_from_public_inputs(
    ruleset: Ruleset, seats: int, seed: int, hoarding: float, leaving: float
) -> None:
    """A second engine with the same inputs, and no hidden card, is always in the same state."""
    table = table_for(ruleset, seats, seed)
    spectator = Round(table.round.ruleset, table.round.dealt_seats, table.round.dealer)
    done = 0

    def check(table: CardTable) -> None:
        nonlocal done
        while done < len(table.inputs):
            method, arguments = table.inputs[done]
            getattr(spectator, method)(*arguments)
            done += 1
        assert spectator.public_state() == table.round.public_state()
        assert hash(spectator.public_state()) == hash(table.round.public_state())

    play_randomly(table, seed, check, hoarding=hoarding, leaving=leaving)


@given(rulesets, st.integers(2, 6), seeds, often, leavers, short)
def test_every_card_is_somewhere_when_the_pile_is_short(
    ruleset: Ruleset, seats: int, seed: int, hoarding: float, leaving: float, short: Short
) -> None:
    table = short_table(ruleset, seats, seed, *short)
    play_randomly(table, seed, whole_deck, hoarding=hoarding, leaving=leaving)


@settings(max_examples=50)
@given(rulesets, st.integers(2, 5), seeds, leavers, short)
def test_refusal_and_legal_agree_when_the_pile_is_short(
    ruleset: Ruleset, seats: int, seed: int, leaving: float, short: Short
) -> None:
    table = short_table(ruleset, seats, seed, *short)
    play_randomly(table, seed, same_acts, leaving=leaving, moves=60)


@settings(max_examples=60)
@given(rulesets, st.integers(2, 6), seeds, short_piles)
def test_anybody_can_leave_at_any_moment(
    ruleset: Ruleset, seats: int, seed: int, short: Short | None
) -> None:
    """One seat leaves, then another: the round continues without asking them, or it is over."""

    def check(table: CardTable) -> None:
        game = table.round
        for first in game.dealt_seats:
            after = table.copy()
            gone_out = after.round.hands.get(first) == []
            after.call("drop", first)
            assert gone_out or first not in after.round.seats or game.over
            second = (first + 1) % seats
            again = after.copy()
            again.call("drop", second)
            for left in (after, again):
                left.serve()
                goes_on(left)
                whole_deck(left)

    table = (
        table_for(ruleset, seats, seed)
        if short is None
        else short_table(ruleset, seats, seed, *short)
    )
    play_randomly(table, seed, check, moves=25)


@settings(max_examples=60)
@given(rulesets, st.integers(2, 6), seeds, often, leavers)
def test_nothing_stale_is_left_over(
    ruleset: Ruleset, seats: int, seed: int, hoarding: float, leaving: float
) -> None:
    """The state that belongs to one question is gone while another is asked."""

    def check(table: CardTable) -> None:
        game = table.round
        if game.decider is not None:
            assert (game.drawn is not None) == (game.phase is RoundPhase.DRAWN)
            challenged = game.phase in (RoundPhase.SHOW, RoundPhase.VERDICT, RoundPhase.OPEN_HAND)
            answering = challenged or game.phase is RoundPhase.PENALTY
            assert bool(game.penalty) == answering
            doubted = game.accused, game.accused_colour, game.accused_hand
            assert answering or doubted == (NOBODY, NO_COLOUR, ())
            assert (game.challenger != NOBODY) == challenged
            assert game.accused_truth is None or game.accused not in game.seats
            assert game.laid is None
            assert game.agenda == []
        if game.over:
            assert (game.uno_owed, game.accusation, game.accused) == (None, None, NOBODY)
            assert (game.laid, game.drawn, game.penalty, game.agenda) == (None, None, 0, [])
        assert game.uno_owed is None or len(game.hands[game.uno_owed]) == 1
        assert game.uno_owed is None or game.uno_owed in game.seats
        assert game.accusation is None or len(game.seats) > 2

    table = table_for(ruleset, seats, seed)
    play_randomly(table, seed, check, hoarding=hoarding, leaving=leaving)


def _plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_plain, value))
    return value is None or type(value) in (int, bool)


@settings(max_examples=50)
@given(rulesets, st.integers(2, 10), seeds, often, leavers)
def test_the_public_state_is_plain_and_a_copy_stays_behind(
    ruleset: Ruleset, seats: int, seed: int, hoarding: float, leaving: float
) -> None:
    previous: tuple[Round, object] | None = None

    def check(table: CardTable) -> None:
        nonlocal previous
        public = table.round.public_state()
        assert _plain(public)
        assert msgspec.msgpack.encode(public) == msgspec.msgpack.encode(
            deepcopy(table.round).public_state()
        )
        if previous is not None:
            copy, before = previous
            assert copy.public_state() == before
            assert public != before or table.inputs[-1][0] == "drop"
        previous = deepcopy(table.round), public

    table = table_for(ruleset, seats, seed)
    play_randomly(table, seed, check, hoarding=hoarding, leaving=leaving)


@given(rulesets, st.integers(2, 10), seeds, leavers, short_piles)
def test_the_decision_grows_with_the_question(
    ruleset: Ruleset, seats: int, seed: int, leaving: float, short: Short | None
) -> None:
    """A decision number stands for one question: one seat, one phase, one top card and one hand.

    The number also grows with the top card and the colour while no seat has to decide.
    """
    questions: dict[int, object] = {}
    cards: dict[int, object] = {}

    def check(table: CardTable) -> None:
        game = table.round
        decider = game.decider
        if decider is not None:
            question = (
                decider,
                game.phase,
                game.top,
                game.colour,
                game.drawn,
                game.penalty,
                tuple(game.hands[decider]),
            )
            assert questions.setdefault(game.decision, question) == question
        if game.stage is not RoundPhase.NEW and game.turns:
            lying = game.top, game.colour
            assert cards.setdefault(game.decision, lying) == lying

    table = (
        table_for(ruleset, seats, seed)
        if short is None
        else short_table(ruleset, seats, seed, *short)
    )
    play_randomly(table, seed, check, leaving=leaving)


@given(rulesets, st.integers(2, 6), seeds, leavers)
def test_every_round_ends_with_a_result(
    ruleset: Ruleset, seats: int, seed: int, leaving: float
) -> None:
    """A round ends if the players play everything they can and no wrong card."""
    ruleset = msgspec.structs.replace(ruleset, manners=Manners.ENFORCED)
    table = table_for(ruleset, seats, seed)
    play_randomly(table, seed, lambda _: None, leaving=leaving, playing=1.0, moves=20_000)
    result = table.round.reveal(table.cards)
    assert result.ending is table.round.ending
    assert set(result.winners) <= set(result.seats) - set(result.left)
    assert result.ending is not RoundEnding.OUT or len(result.winners) == 1
    for seat, points, count in zip(result.seats, result.points, result.cards, strict=True):
        assert count or not points
        assert seat not in result.left or count == len(table.round.left_hands[seat])
