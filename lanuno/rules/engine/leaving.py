"""What happens when a seat leaves in the middle of a round.

This module settles the hand of the leaver and everything that waited for it. match/match.py decides
whether the match continues without the seat, and the table makes its cards readable for the other
seats.

The hand is opened face up and goes under the discard pile. At the end of the round it counts as if
the leaver still held it, so that nobody gains by leaving (match/formats.py). For the same reason
the leaver still draws the cards of a penalty, and who leaves a challenge has lost it. Apart from
that the leaver is skipped: its turn passes on, a card that it had just laid takes effect unless it
was wrong, and a challenge against it is decided by the hand that everybody now sees.
"""

from __future__ import annotations

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.engine.events import DrawReason, GameEvent, RoundEnding, SeatLeft, UnoLapsed
from lanuno.rules.engine.manners import drop_votes_of, let_card_stand, take_back
from lanuno.rules.engine.pile import ask_open, ask_shuffle
from lanuno.rules.engine.state import AgendaItem, AgendaStep, Laid, RoundPhase, RoundState
from lanuno.rules.engine.turns import ask_decision, clear_challenge, finish, next_seat
from lanuno.rules.ruleset import Format

_NEEDS_EVERYBODY = frozenset({Format.PAIRS, Format.PARTNERS, Format.ROTATION})
_OF_ONE_TURN = frozenset({RoundPhase.TURN, RoundPhase.DRAWN, RoundPhase.QUESTION})
_BESIDES_THE_TURN = frozenset({AgendaStep.DRAW, AgendaStep.JUDGE})
"""While any other step is on the agenda, the decision of the present phase is already made."""
_UNCHANGED = frozenset({AgendaStep.EFFECT, AgendaStep.NEXT, AgendaStep.JUDGE})
"""Steps of a leaver that are carried out as if it were there."""
_OF_A_PENALTY = frozenset(
    {RoundPhase.PENALTY, RoundPhase.SHOW, RoundPhase.VERDICT, RoundPhase.OPEN_HAND}
)


def leave(r: RoundState, seat: Seat, events: list[GameEvent]) -> None:
    """Take a seat out of this round. Do nothing if it does not play or the round is over."""
    if seat not in r.seats or r.stage is RoundPhase.OVER:
        return
    if r.laid is not None and r.laid.seat == seat:
        _settle_trial(r, r.laid, events)
    if _has_gone_out(r, seat):
        # The round ends with its win. Only a pending shuffle has to start again without it.
        if r.shuffle is not None:
            ask_shuffle(r, r.shuffle.cards, r.shuffle.slots, events)
        return
    dealt = seat in r.hands
    slots = tuple(r.hands.pop(seat, ()))
    rest = tuple([each for each in r.seats if each != seat])
    events.append(SeatLeft(seat, slots))
    r.leaver_slots.extend(slots)
    r.left_hands[seat] = list(slots)
    winner = _winner(r)
    if _hand_moved(r, seat) or (winner is None and r.ruleset.format in _NEEDS_EVERYBODY):
        _cut_short(r, rest, None, events)
        return
    if len(rest) < 2:
        _cut_short(r, rest, winner, events)
        return
    r.set_seats(rest)
    shuffle = r.shuffle
    if shuffle is not None:
        ask_shuffle(r, shuffle.cards, shuffle.slots, events)
    if dealt:
        _skip_leaver(r, seat, slots, events)


def discard_open_card(r: RoundState, slot: Slot, card: CardId) -> None:
    """Put an opened card of a leaver's hand under the discard pile."""
    r.leaver_slots.remove(slot)
    r.discard.insert(0, (slot, card))
    r.face_up[slot] = card


def _has_gone_out(r: RoundState, seat: Seat) -> bool:
    """Whether its hand is empty and no penalty for a missing "UNO" is pending against it."""
    return r.hands.get(seat) == [] and all(step[:2] != (AgendaStep.DRAW, seat) for step in r.agenda)


def _winner(r: RoundState) -> Seat | None:
    """Return who has gone out, while only the draw caused by the last card is pending."""
    return next((step[1] for step in r.agenda if step[0] is AgendaStep.FINISH), None)


def _cut_short(
    r: RoundState, rest: tuple[Seat, ...], winner: Seat | None, events: list[GameEvent]
) -> None:
    """End a round that cannot continue: as void, unless a seat has already won it."""
    r.seats = rest
    r.shuffle = None
    r.opens.clear()
    finish(r, RoundEnding.VOID if winner is None else RoundEnding.OUT, winner, events)


def _settle_trial(r: RoundState, laid: Laid, events: list[GameEvent]) -> None:
    """Decide about the leaver's card without objections: a right card stays, a wrong one does not.

    Otherwise a player could leave immediately to protect a card that other players had a right to
    object to.
    """
    r.agenda = [step for step in r.agenda if step[0] is not AgendaStep.ASK_OBJECTIONS]
    if laid.wrong:
        take_back(r, laid, None, events)
        r.agenda.append((AgendaStep.NEXT, laid.seat, 0, 0))
    else:
        let_card_stand(r, laid, events)


def _hand_moved(r: RoundState, seat: Seat) -> bool:
    """Whether another seat holds a slot that was first dealt to this seat."""
    return any(r.first_owner.get(slot) == seat for hand in r.hands.values() for slot in hand)


def _skip_leaver(
    r: RoundState, seat: Seat, slots: tuple[Slot, ...], events: list[GameEvent]
) -> None:
    """Take the leaver out of everything that is pending."""
    asked = all(step[0] in _BESIDES_THE_TURN for step in r.agenda)
    drop_votes_of(r, seat, events)
    if r.uno_owed == seat:
        r.uno_owed = None
        events.append(UnoLapsed(seat))
    r.agenda = [step for each in r.agenda for step in _steps_without(r, seat, each)]
    if asked:
        _pass_decision(r, seat)
    if slots:
        # Cards of its hand that were already being opened are opened with the rest.
        r.opens = [each for each in r.opens if not set(each.slots) <= set(slots)]
        ask_open(r, slots, None, events)
        r.agenda.insert(0, (AgendaStep.JUDGE, seat, 0, 0))


def _steps_without(r: RoundState, seat: Seat, item: AgendaItem) -> list[AgendaItem]:
    """Return what a step on the agenda becomes without the leaver."""
    step = item[0]
    if item[1] != seat or step in _UNCHANGED:
        return [item]
    if step is AgendaStep.DRAW:
        return [] if item[3] == DrawReason.TURN else [item]
    if step is AgendaStep.LOSE:
        return []
    if step is AgendaStep.ANSWER:
        return _penalty_taken(r, seat, r.penalty, DrawReason.PENALTY)
    return [(AgendaStep.NEXT, seat, 0, 0)]


def _pass_decision(r: RoundState, seat: Seat) -> None:
    """Pass on an open decision of the leaver."""
    if r.stage in _OF_A_PENALTY and seat in (r.actor, r.challenger) and seat != r.accused:
        if seat == r.challenger:
            count = r.penalty + r.ruleset.challenge_penalty
            r.agenda += _penalty_taken(r, seat, count, DrawReason.CHALLENGE_LOST)
        else:
            r.agenda += _penalty_taken(r, seat, r.penalty, DrawReason.PENALTY)
    elif r.actor != seat:
        return
    elif r.stage in _OF_ONE_TURN:
        r.agenda.append((AgendaStep.NEXT, seat, 0, 0))
    elif r.stage is RoundPhase.COLOUR:
        ask_decision(r, RoundPhase.COLOUR, next_seat(r, seat))


def _penalty_taken(r: RoundState, seat: Seat, count: int, why: DrawReason) -> list[AgendaItem]:
    """Return the steps with which the leaver draws what is pending and the turn passes on."""
    r.penalty = 0
    clear_challenge(r)
    return [(AgendaStep.DRAW, seat, count, why), (AgendaStep.NEXT, seat, 0, 0)]
