"""The table of effects has every card that is more than a number, and the rulebook has each."""

from __future__ import annotations

import pytest

from lanuno.rules.cards import Colour, Rank
from lanuno.rules.decks import DECKS
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.engine.events import (
    DirectionTurned,
    DrawReason,
    Drew,
    GameEvent,
    PenaltyPending,
    Played,
    Skipped,
    StartingCard,
    TurnStarted,
)
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset, WildFour
from tests.rules.engine.small_tables import lay, seen, small_table
from tests.rules.told_rules import rules_by_id


def test_every_rank_except_numbers_has_an_effect() -> None:
    assert set(EFFECTS) == {rank for rank in Rank if not rank.traits.is_number}


@pytest.mark.parametrize("deck", DECKS)
def test_the_rulebook_tells_of_every_effect(deck: int) -> None:
    told = set(rules_by_id(Ruleset(deck=deck)))
    for rank in DECKS[deck].keys() & EFFECTS.keys():
        assert {f"actions.{rank.name.lower()}", f"start.{rank.name.lower()}"} <= told


@pytest.mark.parametrize(
    ("name", "seats", "after"),
    [
        ("rs", 3, [Skipped(1), TurnStarted(2)]),
        ("rs", 2, [Skipped(1), TurnStarted(0)]),
        ("rv", 3, [DirectionTurned(False, 0), TurnStarted(2)]),
        ("rv", 2, [DirectionTurned(False, 0), Skipped(1), TurnStarted(0)]),
    ],
)
def test_a_skip_and_a_reverse(name: str, seats: int, after: list[GameEvent]) -> None:
    table = small_table({0: f"{name} b1 b2"}, seats=seats)
    events = lay(table, 0, name)
    assert isinstance(events[0], Played)
    assert events[1:] == after


@pytest.mark.parametrize(
    ("start", "after"),
    [
        ("rs", [Skipped(0), TurnStarted(1)]),
        ("rv", [DirectionTurned(False, None), TurnStarted(2)]),
        ("r+2", [Drew(0, (10, 11), DrawReason.PENALTY), Skipped(0), TurnStarted(1)]),
    ],
)
def test_a_starting_card_hits_the_first_player_and_a_reverse_lets_the_dealer_begin(
    start: str, after: list[GameEvent]
) -> None:
    """Seat 2 has dealt nine cards, so that the draw pile starts at slot 10."""
    events = seen(small_table(start=start).events)
    place = next(i for i, event in enumerate(events) if isinstance(event, StartingCard))
    assert events[place + 1 :] == after


@pytest.mark.parametrize("wild_four", WildFour)
def test_only_a_seat_with_a_choice_is_asked(wild_four: WildFour) -> None:
    table = small_table({0: "w4 b1 b2"}, rules=Ruleset(wild_four=wild_four))
    events = lay(table, 0, "w4", Colour.BLUE)
    if wild_four is WildFour.BLUFF:
        assert events[-1] == PenaltyPending(1, 4, True)
        assert (table.round.phase, table.round.decider) == (RoundPhase.PENALTY, 1)
    else:
        assert events[-2:] == [Skipped(1), TurnStarted(2)]
        assert len(table.round.hands[1]) == 7
