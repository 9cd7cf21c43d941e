"""Answering a penalty: accept it, or challenge the Wild Draw Four and be shown the hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import (
    Accept,
    Challenge,
    OpenHand,
    RefuseShow,
    RefuseVerdict,
    Show,
    Verdict,
)
from lanuno.rules.engine.events import (
    Accepted,
    Challenged,
    ChallengeDecided,
    DrawReason,
    Drew,
    GameEvent,
    HandOpened,
    Shown,
    ShowRefused,
    Skipped,
    TurnStarted,
    UnoLapsed,
    VerdictRefused,
)
from lanuno.rules.engine.state import NOBODY, RoundPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.table_of_cards import CardTable
from tests.rules.engine.small_tables import lay, seen, small_table

INNOCENT = "w4 b1 b2"
GUILTY = "w4 r1 b2"


def hit(hand: str, rules: Ruleset | None = None) -> CardTable:
    """Return a table on which seat 0 has laid a Wild Draw Four on red, and seat 1 must answer."""
    table = small_table({0: hand}, rules=rules)
    lay(table, 0, "w4", Colour.BLUE)
    assert (table.round.phase, table.round.decider) == (RoundPhase.PENALTY, 1)
    return table


def draws(table: CardTable, seat: int, count: int, why: DrawReason) -> Drew:
    """Return the event of a draw from the top of the present pile."""
    first = table.round.pile_next
    return Drew(seat, tuple(range(first, first + count)), why)


def test_an_accepted_penalty_costs_four_cards_and_the_turn() -> None:
    table = hit(GUILTY)
    drew = draws(table, 1, 4, DrawReason.PENALTY)
    assert seen(table.act(1, Accept())) == [Accepted(1), drew, Skipped(1), TurnStarted(2)]
    assert (table.round.accused, table.round.penalty) == (NOBODY, 0)


def test_a_challenge_asks_for_the_hand_and_then_for_a_verdict() -> None:
    table = hit(INNOCENT)
    rest = tuple(table.round.hands[0])
    assert table.act(1, Challenge()) == [Challenged(1, 0, rest)]
    assert (table.round.phase, table.round.decider) == (RoundPhase.SHOW, 0)
    assert table.act(0, Show()) == [Shown(0, 1, rest)]
    assert (table.round.phase, table.round.decider) == (RoundPhase.VERDICT, 1)
    assert not table.round.face_up.keys() & set(rest)


@pytest.mark.parametrize("extra", [0, 2, 4])
def test_a_lost_challenge_costs_the_challenger_extra_cards(extra: int) -> None:
    table = hit(INNOCENT, Ruleset(challenge_penalty=extra))
    table.act(1, Challenge())
    table.act(0, Show())
    drew = draws(table, 1, 4 + extra, DrawReason.CHALLENGE_LOST)
    events = table.act(1, Verdict(False))
    assert seen(events) == [ChallengeDecided(1, 0, False), drew, Skipped(1), TurnStarted(2)]


def test_a_guilty_player_draws_and_the_challenger_plays() -> None:
    table = hit(GUILTY)
    table.act(1, Challenge())
    table.act(0, Show())
    drew = draws(table, 0, 4, DrawReason.CHALLENGED)
    events = table.act(1, Verdict(True))
    assert seen(events) == [ChallengeDecided(1, 0, True), drew, TurnStarted(1)]


def test_a_refusal_to_show_counts_as_guilty() -> None:
    table = hit(INNOCENT)
    table.act(1, Challenge())
    drew = draws(table, 0, 4, DrawReason.CHALLENGED)
    events = table.act(0, RefuseShow())
    assert seen(events) == [ShowRefused(0), ChallengeDecided(1, 0, True), drew, TurnStarted(1)]


@pytest.mark.parametrize(("hand", "guilty"), [(INNOCENT, False), (GUILTY, True)])
def test_without_a_verdict_everybody_sees_the_hand_and_the_rules_decide(
    hand: str, guilty: bool
) -> None:
    table = hit(hand)
    rest = tuple(table.round.hands[0])
    table.act(1, Challenge())
    table.act(0, Show())
    assert table.act(1, RefuseVerdict()) == [VerdictRefused(1)]
    assert (table.round.phase, table.round.decider) == (RoundPhase.OPEN_HAND, 0)
    events = seen(table.act(0, OpenHand()))
    assert events[:2] == [HandOpened(0, rest, guilty), ChallengeDecided(1, 0, guilty)]
    assert {slot: table.round.face_up[slot] for slot in rest} == {
        slot: table.cards[slot] for slot in rest
    }
    assert table.round.decider == (1 if guilty else 2)


def test_a_refusal_to_open_the_hand_counts_as_guilty() -> None:
    table = hit(INNOCENT)
    for seat, act in ((1, Challenge()), (0, Show()), (1, RefuseVerdict())):
        table.act(seat, act)
    events = table.act(0, RefuseShow())
    assert seen(events)[:2] == [ShowRefused(0), ChallengeDecided(1, 0, True)]
    assert table.round.decider == 1


@pytest.mark.parametrize(("hand", "guilty"), [(INNOCENT, False), (GUILTY, True)])
def test_a_player_who_left_is_judged_at_once(hand: str, guilty: bool) -> None:
    """The hand of a leaver is open, so that nothing has to be shown. It still draws."""
    table = hit(hand)
    rest = tuple(table.round.hands[0])
    table.drop(0)
    assert (table.round.phase, table.round.decider) == (RoundPhase.PENALTY, 1)
    caught: list[GameEvent] = [draws(table, 0, 4, DrawReason.CHALLENGED)]
    lost: list[GameEvent] = [draws(table, 1, 6, DrawReason.CHALLENGE_LOST), Skipped(1)]
    assert seen(table.act(1, Challenge())) == [
        Challenged(1, 0, rest),
        ChallengeDecided(1, 0, guilty),
        *(caught if guilty else lost),
        TurnStarted(1 if guilty else 2),
    ]


def test_the_accused_and_then_the_challenger_leave_while_the_hand_is_opened() -> None:
    """The turn must not go to a seat that has left: nobody could end the round then."""
    table = small_table({0: GUILTY}, seats=4)
    lay(table, 0, "w4", Colour.BLUE)
    for seat, act in ((1, Challenge()), (0, Show()), (1, RefuseVerdict())):
        table.act(seat, act)
    table.act_unserved(0, OpenHand())
    for seat in (0, 1):
        table.round.drop(seat)
    turns = table.round.turns
    table.serve()
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 2)
    assert table.round.turns == turns + 1


def test_the_open_hand_of_another_player_decides_nothing() -> None:
    table = hit(GUILTY)
    table.drop(2)
    assert table.round.accused_truth is None
    table.act(1, Challenge())
    assert (table.round.phase, table.round.decider) == (RoundPhase.SHOW, 0)


def test_a_guilty_player_no_longer_owes_uno() -> None:
    table = small_table({0: "w4 r1", 1: "y1 y2", 2: "g1 g2"})
    lay(table, 0, "w4", Colour.BLUE)
    assert table.round.uno_owed == 0
    table.act(1, Challenge())
    table.act(0, Show())
    events = table.act(1, Verdict(True))
    assert seen(events)[:2] == [ChallengeDecided(1, 0, True), UnoLapsed(0)]
    assert table.round.uno_owed is None


def test_the_cards_of_a_stacked_penalty_are_at_stake() -> None:
    rules = replace(Ruleset(), stack_wild_four=True)
    table = small_table({0: "w4 b1 b2", 1: "w4 y1 y2"}, rules=rules)
    lay(table, 0, "w4", Colour.BLUE)
    lay(table, 1, "w4", Colour.YELLOW)
    table.act(2, Challenge())
    table.act(1, Show())
    drew = draws(table, 2, 10, DrawReason.CHALLENGE_LOST)
    assert drew in table.act(2, Verdict(False))
