"""Cards that make hands change owners: choosing a hand to take, and passing all hands along.

card_effects.py and house_rules say which cards do so. The table makes the hand readable for its new
owner: the old owner seals the keys to it, as `HandsMoved` says.
"""

from __future__ import annotations

from collections.abc import Iterable

from lanuno.rules.cards import CardId, Seat
from lanuno.rules.engine.actions import Swap
from lanuno.rules.engine.effects import Effect, pass_turn
from lanuno.rules.engine.events import GameEvent, HandsMoved, UnoLapsed
from lanuno.rules.engine.question import Known, Question
from lanuno.rules.engine.state import RoundPhase, RoundState
from lanuno.rules.engine.turns import ask_decision, next_seat, start_turn
from lanuno.rules.refusals import ActRefusal


def _ask_whose_hand(r: RoundState, seat: Seat, card: CardId, events: list[GameEvent]) -> None:
    """Ask the player of the card for a choice, unless that player has left."""
    if seat in r.hands:
        ask_decision(r, RoundPhase.QUESTION, seat)
    else:
        pass_turn(r, seat, card, events)


def _pass_along(r: RoundState, seat: Seat, card: CardId, events: list[GameEvent]) -> None:
    """Pass every hand to the next seat, unless the player of the card has left."""
    if seat in r.hands:
        _give(r, {each: next_seat(r, each) for each in r.seats}, events)
    pass_turn(r, seat, card, events)


def _candidates(r: RoundState, _seat: Seat, _cards: Known) -> Iterable[Swap]:
    return map(Swap, r.seats)


def _refusal(r: RoundState, seat: Seat, action: Swap, _cards: Known) -> ActRefusal | None:
    if action.seat == seat:
        return ActRefusal.NOT_ONESELF
    return None if action.seat in r.hands else ActRefusal.NO_SUCH_SEAT


def _swap(r: RoundState, seat: Seat, action: Swap, events: list[GameEvent]) -> None:
    """Exchange hands with the chosen seat."""
    _give(r, {seat: action.seat, action.seat: seat}, events)
    start_turn(r, next_seat(r, seat), events)


def _largest_hand(r: RoundState, seat: Seat, _cards: Known) -> Swap:
    """Choose the largest hand; among equals, the next one in turn."""
    largest = other = next_seat(r, seat)
    while other != seat:
        if len(r.hands[other]) > len(r.hands[largest]):
            largest = other
        other = next_seat(r, other)
    return Swap(largest)


def _give(r: RoundState, owners: dict[Seat, Seat], events: list[GameEvent]) -> None:
    """Give each hand to its new owner. A seat that receives a single card does not owe "UNO"."""
    hands = {seat: r.hands[seat] for seat in owners}
    for seat, owner in owners.items():
        r.hands[owner] = hands[seat]
    events.append(HandsMoved(tuple([(seat, owners[seat], tuple(hands[seat])) for seat in owners])))
    if r.uno_owed is not None:
        events.append(UnoLapsed(r.uno_owed))
        r.uno_owed = None


SWAP_HANDS = Effect(
    _ask_whose_hand,
    question=Question("swap", (Swap,), _candidates, _refusal, _swap, _largest_hand),
    moves_hands=True,
)
"""The player of the card exchanges hands with a seat of their choice."""

PASS_HANDS = Effect(_pass_along, moves_hands=True)
"""Every hand passes to the next seat."""
