"""Discard All: after this card, its player may lay more cards of its colour under it.

This module has the question that the card asks, and its answers. The card stays on top, so that it
is the one that asks; cards laid under it have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable

from lanuno.rules.cards import CardId, Seat
from lanuno.rules.engine.actions import Keep, Play
from lanuno.rules.engine.effects import Effect, apply_card, pass_turn
from lanuno.rules.engine.events import GameEvent, Played, UnoSaid
from lanuno.rules.engine.legality import named_card_refusal
from lanuno.rules.engine.question import Known, Question
from lanuno.rules.engine.state import RoundPhase, RoundState
from lanuno.rules.engine.turns import ask_decision, next_seat, start_turn
from lanuno.rules.refusals import ActRefusal


def _ask_for_more(r: RoundState, seat: Seat, card: CardId, events: list[GameEvent]) -> None:
    if seat in r.hands:
        ask_decision(r, RoundPhase.QUESTION, seat)
    else:
        pass_turn(r, seat, card, events)


def _candidates(r: RoundState, seat: Seat, cards: Known) -> Iterable[Play | Keep]:
    hand = r.hands[seat]
    for slot in hand:
        card = cards.get(slot, r.face_up.get(slot))
        if card is not None:
            yield Play(slot, card)
            if len(hand) == 2:
                yield Play(slot, card, None, True)
    yield Keep()


def _refusal(r: RoundState, seat: Seat, action: Play | Keep, cards: Known) -> ActRefusal | None:
    if isinstance(action, Keep):
        return None
    fault = named_card_refusal(r, seat, action, cards)
    if fault is not None:
        return fault
    if action.card not in r.deck.of_colour[r.colour]:
        return ActRefusal.UNPLAYABLE
    if action.colour is not None:
        return ActRefusal.COLOUR_UNWANTED
    if action.uno and len(r.hands[seat]) != 2:
        return ActRefusal.NOTHING_TO_SAY
    return None


def _answer(r: RoundState, seat: Seat, action: Play | Keep, events: list[GameEvent]) -> None:
    if isinstance(action, Keep):
        start_turn(r, next_seat(r, seat), events)
        return
    hand = r.hands[seat]
    hand.remove(action.slot)
    r.discard.insert(-1, (action.slot, action.card))
    r.face_up[action.slot] = action.card
    events.append(Played(seat, action.slot, action.card, len(hand)))
    if action.uno:
        events.append(UnoSaid(seat))
    elif len(hand) == 1:
        r.uno_owed = seat
    # The card on top asks again, or the empty hand ends the round.
    apply_card(r, seat, r.top, events)


def _keep(_r: RoundState, _seat: Seat, _cards: Known) -> Keep:
    return Keep()


DISCARD_ALL = Effect(
    _ask_for_more,
    question=Question("discard_all", (Play, Keep), _candidates, _refusal, _answer, _keep),
)
