"""House rule "seven zero": hands change owners.

Here: choosing a hand after a seven and passing all hands along after a zero. Not here: when these
cards take effect (effects.py) and how the new owner comes to read the hand (the table: the old
owner seals its keys to it, as `HandsMoved` says).
"""

from __future__ import annotations

from lanuno.rules.cards import Rank, Seat
from lanuno.rules.engine.actions import Swap
from lanuno.rules.engine.events import GameEvent, HandsMoved, UnoLapsed
from lanuno.rules.engine.state import RoundPhase, RoundState
from lanuno.rules.engine.turns import ask_decision, next_seat, start_turn


def moves_hands(r: RoundState, seat: Seat, rank: int) -> bool:
    """Whether this card of a seat that still plays moves hands."""
    return r.ruleset.seven_zero and rank in (Rank.ZERO, Rank.SEVEN) and seat in r.hands


def move_hands(r: RoundState, seat: Seat, rank: int, events: list[GameEvent]) -> None:
    """A zero passes all hands along; a seven asks its player for a choice."""
    if rank == Rank.SEVEN:
        ask_decision(r, RoundPhase.SWAP, seat)
    else:
        _give(r, {each: next_seat(r, each) for each in r.seats}, events)
        start_turn(r, next_seat(r, seat), events)


def swap(r: RoundState, seat: Seat, action: Swap, events: list[GameEvent]) -> None:
    """Exchange hands with the seat chosen."""
    _give(r, {seat: action.seat, action.seat: seat}, events)
    start_turn(r, next_seat(r, seat), events)


def _give(r: RoundState, owners: dict[Seat, Seat], events: list[GameEvent]) -> None:
    """Each hand goes to its new owner. A single card received owes no "UNO"."""
    hands = {seat: r.hands[seat] for seat in owners}
    for seat, owner in owners.items():
        r.hands[owner] = hands[seat]
    events.append(HandsMoved(tuple([(seat, owners[seat], tuple(hands[seat])) for seat in owners])))
    if r.uno_owed is not None:
        events.append(UnoLapsed(r.uno_owed))
        r.uno_owed = None
