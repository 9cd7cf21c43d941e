"""How a card takes effect, when it is played and when it starts the discard pile.

This module defines the value that describes an effect, and what all cards have in common.
card_effects.py and house_rules define the effect of each rank, legality.py decides whether a card
may be played, and agenda.py carries out the steps that an effect puts on the agenda.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.engine.events import (
    DrawReason,
    GameEvent,
    RoundEnding,
    StartingCard,
    StartingCardReturned,
)
from lanuno.rules.engine.pile import ask_shuffle
from lanuno.rules.engine.question import Question
from lanuno.rules.engine.state import NOBODY, AgendaStep, RoundPhase, RoundState
from lanuno.rules.engine.turns import ask_decision, insert_first, next_seat, start_turn

_Do = Callable[[RoundState, Seat, CardId, list[GameEvent]], None]
"""Apply a seat's card to the round and add the events to the list."""


def pass_turn(r: RoundState, seat: Seat, _card: CardId, events: list[GameEvent]) -> None:
    """Pass the turn to the next seat."""
    start_turn(r, next_seat(r, seat), events)


def begin(r: RoundState, dealer: Seat, card: CardId, _events: list[GameEvent]) -> None:
    """Let the seat on the dealer's left begin; it first names the colour of a wild card."""
    first = r.left_of[dealer]
    if card in r.deck.wild:
        ask_decision(r, RoundPhase.COLOUR, first)
    else:
        insert_first(r, (AgendaStep.TURN, first, 0, 0))


@dataclass(frozen=True, slots=True)
class Effect:
    """What the cards of a rank do. The last card of a hand only makes the next seat draw."""

    played: _Do = pass_turn
    """Called when the seat has played the card and holds others; the seat may have left since."""
    _: KW_ONLY
    turned_up: _Do = begin
    """Called when the card starts the discard pile, with the dealer as the seat."""
    question: Question | None = None
    """What the card asks its player, if `played` begins the phase QUESTION."""
    moves_hands: bool = False
    """Whether hands change owners: the table then has to track whose keys open them."""


def start_with(r: RoundState, slot: Slot, card: CardId, events: list[GameEvent]) -> None:
    """Start the discard pile with the card turned up and apply it, or put it back and reshuffle."""
    if card not in r.deck.starting:
        events.append(StartingCardReturned(slot, card))
        ask_shuffle(r, (card,), tuple(range(r.pile_next, r.pile_end)), events)
        r.agenda.insert(0, (AgendaStep.TURN_UP, NOBODY, 0, 0))
        return
    r.discard.append((slot, card))
    r.face_up[slot] = card
    r.top = card
    r.colour = r.deck.colours[card]
    events.append(StartingCard(slot, card))
    r.rules.effects[r.deck.ranks[card]].turned_up(r, r.dealer, card, events)


def apply_card(r: RoundState, seat: Seat, card: CardId, events: list[GameEvent]) -> None:
    """Apply the card that `seat` has played."""
    if r.hands.get(seat) == []:
        _go_out(r, seat, card)
    else:
        r.rules.effects[r.deck.ranks[card]].played(r, seat, card, events)


def take_penalty(r: RoundState, seat: Seat) -> None:
    """Make the seat draw all pending cards and lose its turn."""
    count = r.penalty
    r.penalty = 0
    insert_first(
        r,
        (AgendaStep.DRAW, seat, count, DrawReason.PENALTY),
        (AgendaStep.LOSE, seat, 0, 0),
        (AgendaStep.NEXT, seat, 0, 0),
    )


def _go_out(r: RoundState, seat: Seat, card: CardId) -> None:
    """End the round for an empty hand, after the draw that the last card may cause."""
    over = (AgendaStep.FINISH, seat, RoundEnding.OUT, 0)
    draws = r.deck.draws[card]
    if draws:
        count = r.penalty + draws
        r.penalty = 0
        insert_first(r, (AgendaStep.DRAW, next_seat(r, seat), count, DrawReason.PENALTY), over)
    else:
        insert_first(r, over)
