"""What a seat and a spectator may see."""

from __future__ import annotations

from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.engine.actions import Accuse, Challenge, Draw, Play, Show
from lanuno.rules.engine.results import DealerResult
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.match.match import Match
from lanuno.rules.presets import CLASSIC
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Manners, Ruleset
from lanuno.rules.view import Held, view
from tests.harness.rounds.table_of_cards import CardTable, card, stacked


def match_for(ruleset: Ruleset, seats: int) -> Match:
    match = Match(ruleset, seats)
    match.finish(DealerResult(0))
    return match


def test_the_decider() -> None:
    rules = Ruleset(hand_size=2)
    deck = stacked({0: "r5 b1", 1: "w w4"}, "r0", order=(0, 1, 2), size=2)
    table = CardTable.deal(rules, 3, deck=deck)
    seen = view(match_for(rules, 3), table.round, 0, table.known_to(0))
    five, one = card("r5"), card("b1")
    assert seen.hand == (
        Held(0, five, Card(Colour.RED, Rank.FIVE)),
        Held(3, one, Card(Colour.BLUE, Rank.ONE)),
    )
    assert seen.legal == (Play(0, five), Play(0, five, None, True), Draw())
    assert seen.unplayable == ((3, ActRefusal.UNPLAYABLE),)
    assert seen.counts == (2, 2, 2)
    assert seen.seen == ()
    assert (seen.top, seen.colour) == (Card(Colour.RED, Rank.ZERO), Colour.RED)
    assert seen.discards == (Card(Colour.RED, Rank.ZERO),)
    assert (seen.draw_pile, seen.clockwise, seen.decider) == (101, True, 0)
    assert not seen.nothing_left
    assert (seen.totals, seen.target, seen.number) == ((0, 0, 0), 500, 1)


def test_nothing_is_left_once_no_discard_can_be_shuffled() -> None:
    table = CardTable.deal(CLASSIC, 3, seed=5)
    table.round.pile_next = table.round.pile_end
    assert view(match_for(CLASSIC, 3), table.round, 0, table.known_to(0)).nothing_left
    table.round.discard.insert(0, (0, 0))
    assert not view(match_for(CLASSIC, 3), table.round, 0, table.known_to(0)).nothing_left


def test_the_view_of_another_seat() -> None:
    table = CardTable.deal(CLASSIC, 3, seed=5)
    seen = view(match_for(CLASSIC, 3), table.round, 1, table.known_to(1))
    assert len(seen.hand) == 7
    assert seen.legal == ()
    assert seen.unplayable == ()
    assert not any(held.card in table.hand(0) for held in seen.hand)


def test_a_spectator() -> None:
    table = CardTable.deal(CLASSIC, 3, seed=5)
    seen = view(match_for(CLASSIC, 3), table.round, None, {})
    assert seen.hand == ()
    assert seen.legal == ()
    assert seen.unplayable == ()
    assert seen.counts == (7, 7, 7)


def test_a_card_that_is_not_known_yet_is_missing() -> None:
    table = CardTable.deal(CLASSIC, 2, seed=5)
    known = table.known_to(0)
    del known[table.round.hands[0][0]]
    seen = view(match_for(CLASSIC, 2), table.round, 0, known)
    assert len(seen.hand) == 6
    assert seen.counts == (7, 7)


def test_the_challenger_sees_the_shown_hand() -> None:
    rules = Ruleset(hand_size=2)
    deck = stacked({0: "w4 r5", 1: "b1 b2"}, "r0", order=(0, 1), size=2)
    table = CardTable.deal(rules, 2, deck=deck)
    table.act(0, Play(0, card("w4"), 1))
    pending = view(match_for(rules, 2), table.round, 1, table.known_to(1))
    assert (pending.penalty, pending.challengeable, pending.accused) == (4, True, 0)
    assert pending.accused_colour is Colour.RED
    assert pending.uno_owed == 0
    table.act(1, Challenge())
    table.act(0, Show())
    known = {**table.known_to(1), 2: table.cards[2]}
    seen = view(match_for(rules, 2), table.round, 1, known)
    assert seen.phase is RoundPhase.VERDICT
    assert seen.seen == ((0, Held(2, card("r5"), Card(Colour.RED, Rank.FIVE))),)
    assert not seen.challengeable
    assert seen.accused_colour is Colour.RED
    spectator = view(match_for(CLASSIC, 2), CardTable.deal(CLASSIC, 2).round, None, {})
    assert spectator.accused_colour is None


def test_before_a_colour_is_named_and_before_the_deal() -> None:
    deck = stacked({}, "w", order=(0, 1))
    table = CardTable.deal(CLASSIC, 2, deck=deck)
    seen = view(match_for(CLASSIC, 2), table.round, 0, table.known_to(0))
    assert seen.colour is None
    assert seen.top == Card(None, Rank.WILD)
    fresh = CardTable.deal(CLASSIC, 2).round.__class__(CLASSIC, (0, 1), 0)
    nothing = view(match_for(CLASSIC, 2), fresh, 0, {})
    assert nothing.top is None
    assert nothing.counts == (0, 0)


def test_a_running_vote_is_seen() -> None:
    rules = Ruleset(advice=True)
    table = CardTable.deal(rules, 4)
    table.act(1, Accuse(2))
    assert view(match_for(rules, 4), table.round, 0, table.known_to(0)).accusation == (2, 1)


def test_a_card_on_trial_is_seen_with_its_player() -> None:
    rules = Ruleset(manners=Manners.HONOUR)
    deck = stacked({0: "b7"}, "r0", order=(0, 1, 2))
    table = CardTable.deal(rules, 3, deck=deck)
    before = view(match_for(rules, 3), table.round, 1, table.known_to(1))
    assert before.on_trial is None
    table.act(0, Play(0, card("b7")))
    seen = view(match_for(rules, 3), table.round, 1, table.known_to(1))
    assert seen.on_trial == (0, Card(Colour.BLUE, Rank.SEVEN))


def test_the_question_of_a_card_is_seen_by_everybody() -> None:
    rules = Ruleset(hand_size=3, seven_zero=True)
    deck = stacked({0: "r7 b1 b2"}, "r5", order=(0, 1, 2), size=3)
    table = CardTable.deal(rules, 3, deck=deck)
    match = match_for(rules, 3)
    assert view(match, table.round, 0, table.known_to(0)).question is None
    table.act(0, Play(0, card("r7")))
    for seat in (0, 1, None):
        assert view(match, table.round, seat, {}).question == "swap"
