"""Drawing cards: the deal, the draw pile, its exhaustion and the reshuffle.

This module decides which slots move from the draw pile to a hand, and when a shuffle is needed. Its
callers decide why a seat draws and what happens afterwards.

The draw pile is always one contiguous range of slots, because a new one is made only when the old
one is used up or goes into the shuffle as a whole.
"""

from __future__ import annotations

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.engine.events import (
    Dealt,
    DrawReason,
    Drew,
    GameEvent,
    NothingToDraw,
    OpenNeeded,
    Reshuffled,
    ShuffleNeeded,
    UnoLapsed,
)
from lanuno.rules.engine.state import AgendaStep, RoundState

# Looked up once: reading an enum member costs as much as drawing a card.
_TURN = DrawReason.TURN


def nothing_left(r: RoundState) -> bool:
    """Whether a draw would get no card, even after a shuffle."""
    return r.pile_next == r.pile_end and len(r.discard) <= _kept_discards(r)


def _kept_discards(r: RoundState) -> int:
    """Return how many discards stay on the pile: the top one, and the one below a card on trial."""
    return 1 if r.laid is None else 2


def ask_shuffle(
    r: RoundState, cards: tuple[CardId, ...], slots: tuple[Slot, ...], events: list[GameEvent]
) -> None:
    """Ask for a shuffle into the first slots that were never used.

    The draw pile is used up or goes into this shuffle, so these slots follow its end.
    """
    r.shuffle = ShuffleNeeded(r.deal, cards, slots, r.pile_end)
    r.deal += 1
    events.append(r.shuffle)


def ask_open(
    r: RoundState, slots: tuple[Slot, ...], seat: Seat | None, events: list[GameEvent]
) -> None:
    """Ask for slots to be opened. The engine waits only for slots opened face up (`seat` None)."""
    needed = OpenNeeded(r.need, slots, seat)
    r.need += 1
    if seat is None:
        r.opens.append(needed)
    events.append(needed)


def pile_shuffled(r: RoundState, shuffle: ShuffleNeeded, events: list[GameEvent]) -> None:
    """Make the finished shuffle the draw pile."""
    size = len(shuffle.cards) + len(shuffle.slots)
    r.shuffle = None
    r.pile_next = shuffle.first_slot
    r.pile_end = shuffle.first_slot + size
    if shuffle.first_slot:
        events.append(Reshuffled(size))


def deal_hands(r: RoundState, events: list[GameEvent]) -> None:
    """Deal `hand_size` cards to each seat, one at a time from the dealer's left."""
    order = [r.left_of[r.dealer]]
    while len(order) < len(r.seats):
        order.append(r.left_of[order[-1]])
    size = r.ruleset.hand_size
    for place, seat in enumerate(order):
        first = r.pile_next + place
        slots = tuple(range(first, first + size * len(order), len(order)))
        r.hands[seat] = list(slots)
        _record_first_owner(r, seat, slots)
        events.append(Dealt(seat, slots))
        ask_open(r, slots, seat, events)
    # In the order of seats, not of dealing, so that equal states have equal forms.
    r.hands = {seat: r.hands[seat] for seat in r.seats}
    r.pile_next += size * len(order)


def draw(r: RoundState, seat: Seat, count: int, why: DrawReason, events: list[GameEvent]) -> None:
    """Draw up to `count` cards. If the pile is short, ask for a shuffle and draw the rest later.

    The cards of a seat that has left count for it, are opened and go under the discard pile.
    """
    here = min(count, r.pile_end - r.pile_next)
    if here:
        _take(r, seat, here, why, events)
        count -= here
    if not count:
        return
    staying = _kept_discards(r)
    if len(r.discard) > staying:
        under = r.discard[:-staying]
        del r.discard[:-staying]
        for slot, _ in under:
            del r.face_up[slot]
        ask_shuffle(r, tuple([card for _, card in under]), (), events)
        r.agenda.insert(0, (AgendaStep.DRAW, seat, count, why))
    else:
        events.append(NothingToDraw(seat, count, why))


def _take(r: RoundState, seat: Seat, count: int, why: DrawReason, events: list[GameEvent]) -> None:
    first = r.pile_next
    r.pile_next = first + count
    slots = (first,) if count == 1 else tuple(range(first, first + count))
    if seat in r.left_hands:
        r.left_hands[seat].extend(slots)
        r.leaver_slots.extend(slots)
        events.append(Drew(seat, slots, why))
        ask_open(r, slots, None, events)
        return
    hand = r.hands[seat]
    hand.extend(slots)
    _record_first_owner(r, seat, slots)
    if why is _TURN:
        r.drawn = first
    elif r.actor == seat:
        r.decision += 1  # the decider's hand has changed
    events.append(Drew(seat, slots, why))
    ask_open(r, slots, seat, events)
    if r.uno_owed == seat and len(hand) > 1:
        r.uno_owed = None
        events.append(UnoLapsed(seat))


def _record_first_owner(r: RoundState, seat: Seat, slots: tuple[Slot, ...]) -> None:
    if r.rules.hands_move:
        for slot in slots:
            r.first_owner[slot] = seat
