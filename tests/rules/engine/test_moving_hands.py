"""Cards that make hands change owners."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Play, Swap
from lanuno.rules.engine.events import HandsMoved, TurnStarted, UnoLapsed
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked
from tests.rules.engine.small_tables import lay, small_table


@pytest.mark.parametrize("rank", ["0", "7"])
def test_hands_stay_if_their_mover_leaves_before_the_card_takes_effect(rank: str) -> None:
    """On honour the effect waits for objections; a right card stays when its player leaves."""
    rules = Ruleset(hand_size=3, seven_zero=True, manners=Manners.HONOUR)
    deck = stacked({0: f"r{rank} b1 b2"}, "r5", order=(0, 1, 2, 3), size=3)
    table = CardTable.deal(rules, 4, deck=deck)
    table.act(0, Play(0, card(f"r{rank}")))
    held = {seat: list(table.round.hands[seat]) for seat in (1, 2, 3)}
    events = table.drop(0)
    assert not any(isinstance(event, HandsMoved) for event in events)
    assert table.round.hands == held
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 1)


RULES = Ruleset(seven_zero=True)


@pytest.mark.parametrize("direction", [1, -1])
def test_all_hands_move_in_the_direction_of_play(direction: int) -> None:
    table = small_table({0: "r0 b1 b2", 1: "y1 y2 y3"}, rules=RULES, seats=4)
    table.round.direction = direction
    zero, *mine = table.round.hands[0]
    before = {**table.round.hands, 0: mine}
    events = lay(table, 0, "r0")
    receivers = {seat: (seat + direction) % 4 for seat in range(4)}
    assert events[1:] == [
        HandsMoved(tuple((seat, to, tuple(before[seat])) for seat, to in receivers.items())),
        TurnStarted(receivers[0]),
    ]
    assert table.round.hands == {to: before[seat] for seat, to in receivers.items()}
    assert zero not in {slot for hand in table.round.hands.values() for slot in hand}


def test_a_swap_exchanges_two_hands_and_leaves_the_others() -> None:
    table = small_table({0: "r7 b1 b2"}, rules=RULES)
    lay(table, 0, "r7")
    first, second, third = (list(table.round.hands[seat]) for seat in range(3))
    assert table.act(0, Swap(2)) == [
        HandsMoved(((0, 2, tuple(first)), (2, 0, tuple(third)))),
        TurnStarted(1),
    ]
    assert table.round.hands == {0: third, 1: second, 2: first}


def test_the_hand_of_a_player_of_the_round_must_be_chosen() -> None:
    table = small_table({0: "r7 b1 b2"}, rules=RULES, seats=4)
    table.drop(2)
    lay(table, 0, "r7")
    assert table.round.refusal(0, Swap(0)) is ActRefusal.NOT_ONESELF
    assert table.round.refusal(0, Swap(2)) is ActRefusal.NO_SUCH_SEAT
    assert table.round.refusal(0, Swap(4)) is ActRefusal.NO_SUCH_SEAT
    assert table.round.legal(0) == (Swap(1), Swap(3))


@pytest.mark.parametrize(
    ("longer", "direction", "chosen"),
    [((), 1, 1), ((), -1, 3), ((2,), 1, 2), ((2, 3), 1, 2), ((2, 3), -1, 3), ((1, 3), -1, 3)],
)
def test_the_clock_takes_the_largest_hand_and_among_equals_the_next(
    longer: tuple[int, ...], direction: int, chosen: int
) -> None:
    table = small_table({0: "r7 b1 b2"}, rules=RULES, seats=4)
    table.round.direction = direction
    lay(table, 0, "r7")
    for seat in longer:
        table.round.hands[seat].append(1000 + seat)
    assert table.round.clock_action() == Swap(chosen)


@pytest.mark.parametrize("name", ["r7", "r0"])
def test_a_moved_hand_owes_no_uno(name: str) -> None:
    table = small_table({0: f"{name} b1"}, rules=RULES)
    lay(table, 0, name)
    if name == "r7":
        assert table.round.uno_owed == 0
        table.act(0, Swap(1))
    assert UnoLapsed(0) in table.events
    assert table.round.uno_owed is None
