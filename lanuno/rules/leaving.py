"""A seat leaves in the middle of a round.

Here: what becomes of its hand and of whatever waited for it. Not here: whether the match goes on
without it (match.py) and how the others come to read its cards (the table).

The hand is opened face up and goes under the discard pile. What was pending is settled as if the
leaver were skipped over: its draws are dropped, its turn passes on, a card that it had just laid
takes effect unless it was wrong, and a challenge against it is decided by the hand that everybody
now sees.
"""

from __future__ import annotations

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.events import Ending, Event, SeatLeft, UnoLapsed
from lanuno.rules.manners import drop_votes_of, stand, take_back
from lanuno.rules.pile import ask_open, ask_shuffle
from lanuno.rules.ruleset import Format
from lanuno.rules.state import Laid, Phase, RoundState, Step, Todo
from lanuno.rules.turns import decide, finish, following, forget_challenge

_NEEDS_EVERYBODY = frozenset({Format.PAIRS, Format.PARTNERS, Format.ROTATION})
_OF_ONE_TURN = frozenset({Phase.TURN, Phase.DRAWN, Phase.SWAP})
_BESIDES_THE_TURN = frozenset({Step.DRAW, Step.JUDGE})
"""While anything else is on the agenda, the decision that the stage speaks of is already made."""
_OF_A_PENALTY = frozenset({Phase.PENALTY, Phase.SHOW, Phase.VERDICT, Phase.OPEN_HAND})


def leave(r: RoundState, seat: Seat, events: list[Event]) -> None:
    """The seat plays no more in this round; nothing happens if it did not, or if all is over."""
    if seat not in r.seats or r.stage is Phase.OVER:
        return
    if r.laid is not None and r.laid.seat == seat:
        _settle_trial(r, r.laid, events)
    if _has_gone_out(r, seat):
        # Nothing more is asked of it but its part of a shuffle, and the round ends with its win.
        if r.shuffle is not None:
            ask_shuffle(r, r.shuffle.cards, r.shuffle.slots, events)
        return
    dealt = seat in r.hands
    slots = tuple(r.hands.pop(seat, ()))
    rest = tuple([each for each in r.seats if each != seat])
    events.append(SeatLeft(seat, slots))
    r.falling.extend(slots)
    winner = _winner(r)
    if _hand_moved(r, seat) or (winner is None and r.ruleset.format in _NEEDS_EVERYBODY):
        _cut_short(r, rest, None, events)
        return
    if len(rest) < 2:
        _cut_short(r, rest, winner, events)
        return
    r.seat_order(rest)
    shuffle = r.shuffle
    if shuffle is not None:
        ask_shuffle(r, shuffle.cards, shuffle.slots, events)
    if dealt:
        _take_out(r, seat, slots, events)


def lies_open(r: RoundState, slot: Slot, card: CardId) -> None:
    """A card of a leaver's hand is open: it goes under the discard pile."""
    r.falling.remove(slot)
    r.discard.insert(0, (slot, card))
    r.face_up[slot] = card


def _has_gone_out(r: RoundState, seat: Seat) -> bool:
    """Whether its hand is empty, and no penalty for a missing "UNO" is about to fill it again."""
    return r.hands.get(seat) == [] and all(step[:2] != (Step.DRAW, seat) for step in r.agenda)


def _winner(r: RoundState) -> Seat | None:
    """Who has gone out, while only what the last card makes somebody draw is missing."""
    return next((step[1] for step in r.agenda if step[0] is Step.FINISH), None)


def _cut_short(
    r: RoundState, rest: tuple[Seat, ...], winner: Seat | None, events: list[Event]
) -> None:
    """The round cannot go on. It is void, unless somebody had won it by then."""
    r.seats = rest
    r.shuffle = None
    r.opens.clear()
    finish(r, Ending.VOID if winner is None else Ending.OUT, winner, events)


def _settle_trial(r: RoundState, laid: Laid, events: list[Event]) -> None:
    """Nobody is asked for objections to the leaver's card any more: right cards stay, wrong do not.

    Whoever leaves at once must not get away with a card that others had a right to object to.
    """
    r.agenda = [step for step in r.agenda if step[0] is not Step.ASK_OBJECTIONS]
    if laid.wrong:
        take_back(r, laid, None, events)
        r.agenda.append((Step.NEXT, laid.seat, 0, 0))
    else:
        stand(r, laid, events)


def _hand_moved(r: RoundState, seat: Seat) -> bool:
    """Whether somebody else holds a slot that was once dealt to this seat."""
    return any(r.first_owner.get(slot) == seat for hand in r.hands.values() for slot in hand)


def _take_out(r: RoundState, seat: Seat, slots: tuple[Slot, ...], events: list[Event]) -> None:
    """Skip the leaver in everything that is pending."""
    asked = all(step[0] in _BESIDES_THE_TURN for step in r.agenda)
    drop_votes_of(r, seat, events)
    if r.uno_owed == seat:
        r.uno_owed = None
        events.append(UnoLapsed(seat))
    steps = [_without(r, seat, step) for step in r.agenda]
    r.agenda = [step for step in steps if step is not None]
    if asked:
        _pass_decision(r, seat)
    if slots:
        # What it was opening itself is opened with the rest.
        r.opens = [each for each in r.opens if not set(each.slots) <= set(slots)]
        ask_open(r, slots, None, events)
        r.agenda.insert(0, (Step.JUDGE, seat, 0, 0))


def _without(r: RoundState, seat: Seat, todo: Todo) -> Todo | None:
    """What a step on the agenda becomes without the leaver."""
    step = todo[0]
    if todo[1] != seat or step in (Step.EFFECT, Step.NEXT):
        return todo
    if step in (Step.DRAW, Step.LOSE):
        return None
    if step is Step.ANSWER:
        _drop_penalty(r)
    return (Step.NEXT, seat, 0, 0)


def _pass_decision(r: RoundState, seat: Seat) -> None:
    """The decision that is open goes on without the leaver."""
    if r.stage in _OF_A_PENALTY and seat in (r.actor, r.challenger) and seat != r.accused:
        _drop_penalty(r)
        r.agenda.append((Step.NEXT, seat, 0, 0))
    elif r.actor != seat:
        return
    elif r.stage in _OF_ONE_TURN:
        r.agenda.append((Step.NEXT, seat, 0, 0))
    elif r.stage is Phase.COLOUR:
        decide(r, Phase.COLOUR, following(r, seat))


def _drop_penalty(r: RoundState) -> None:
    r.penalty = 0
    forget_challenge(r)
