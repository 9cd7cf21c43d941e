"""A seat leaves in the middle of a round.

Here: what becomes of its hand and of whatever waited for it. Not here: whether the match goes on
without it (match.py) and how the others come to read its cards (the table).

The hand is opened face up and goes under the discard pile. What was pending is settled as if the
leaver were skipped over: its draws are dropped, its turn passes on, a card that it had just laid
takes effect, and a challenge against it is decided by the hand that everybody now sees.
"""

from __future__ import annotations

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.challenge import decide_challenge
from lanuno.rules.events import Ending, Event, SeatLeft, UnoLapsed
from lanuno.rules.legality import guilty
from lanuno.rules.manners import drop_votes_of, stand
from lanuno.rules.pile import ask_open, ask_shuffle
from lanuno.rules.ruleset import Format
from lanuno.rules.state import Laid, Phase, RoundState, Step, Todo
from lanuno.rules.turns import decide, finish, following, forget_challenge

_NEEDS_EVERYBODY = frozenset({Format.PAIRS, Format.PARTNERS, Format.ROTATION})
_OF_ONE_TURN = frozenset({Phase.TURN, Phase.DRAWN, Phase.SWAP})
_BESIDES_THE_TURN = frozenset({Step.DRAW, Step.JUDGE})
"""While anything else is on the agenda, the decision that the stage speaks of is already made."""
_OF_A_PENALTY = frozenset({Phase.PENALTY, Phase.SHOW, Phase.VERDICT})


def leave(r: RoundState, seat: Seat, events: list[Event]) -> None:
    """The seat plays no more in this round; nothing happens if it did not, or if all is over."""
    if seat not in r.seats or r.stage is Phase.OVER:
        return
    if r.laid is not None and r.laid.seat == seat:
        _card_stands(r, r.laid, events)
    if r.hands.get(seat) == []:
        return  # it has gone out: nothing more is asked of it, and the round ends with its win
    slots = tuple(r.hands.pop(seat, ()))
    rest = tuple([each for each in r.seats if each != seat])
    events.append(SeatLeft(seat, slots))
    r.falling.extend(slots)
    if len(rest) < 2 or r.ruleset.format in _NEEDS_EVERYBODY or _hand_moved(r, seat):
        r.seats = rest
        r.shuffle = None
        r.opens.clear()
        finish(r, Ending.VOID, None, events)
        return
    r.seat_order(rest)
    shuffle = r.shuffle
    if shuffle is not None:
        ask_shuffle(r, shuffle.cards, shuffle.slots, events)
    if slots:
        _take_out(r, seat, slots, events)


def lies_open(r: RoundState, slot: Slot, card: CardId) -> None:
    """A card of a leaver's hand is open: it goes under the discard pile."""
    r.falling.remove(slot)
    r.discard.insert(0, (slot, card))
    r.face_up[slot] = card


def judge_leaver(r: RoundState, seat: Seat, events: list[Event]) -> None:
    """The leaver's hand is open: it decides a challenge, or lies there for one to come."""
    if r.accused != seat:
        return
    r.accused_truth = guilty(r, r.face_up)
    if r.stage in (Phase.SHOW, Phase.VERDICT):
        decide_challenge(r, r.accused_truth is True, events)


def _card_stands(r: RoundState, laid: Laid, events: list[Event]) -> None:
    """The leaver's card on trial stays; nobody is asked for objections any more."""
    r.agenda = [step for step in r.agenda if step[0] is not Step.ASK_OBJECTIONS]
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
