"""Table manners: cards laid on honour, objections, and votes on advice.

Here: what a wrong card and bad advice cost, and what the table settles when time is up. Not here:
how long it waits, which is a setting that the table keeps.
"""

from __future__ import annotations

from enum import IntEnum, unique

from lanuno.rules.actions import Accuse, Object, Play, Vote
from lanuno.rules.cards import Seat
from lanuno.rules.errors import IllegalAction
from lanuno.rules.events import (
    Accused,
    Event,
    Objected,
    Settled,
    UnoLapsed,
    Voted,
    VoteDecided,
    Why,
)
from lanuno.rules.legality import lap
from lanuno.rules.refusals import Refusal
from lanuno.rules.state import Accusation, Laid, Phase, RoundState, Step
from lanuno.rules.turns import at_once, forget_challenge


@unique
class Matter(IntEnum):
    """What the table settles when its time is up."""

    CARD = 0  # nobody objected: the card laid takes effect
    VOTE = 1  # whoever has not voted has voted no


def lay(r: RoundState, seat: Seat, action: Play) -> Laid:
    """What it takes to judge this play, and to take it back; to be asked before it is done."""
    right = (
        r.stage is Phase.PENALTY
        or r.actor != seat
        or (
            action.card in r.deck.playable[r.colour][r.deck.ranks[r.top]]
            and (r.stage is Phase.TURN or action.slot == r.drawn)
        )
    )
    return Laid(seat, action.slot, action.card, not right, (r.top, r.colour, r.passes, r.played))


def object_to(r: RoundState, seat: Seat, _action: Object, events: list[Event]) -> None:
    """A wrong card goes back, its player draws, and the turn passes."""
    laid = _on_trial(r)
    take_back(r, laid, seat, events)
    r.agenda.append((Step.DRAW, laid.seat, r.ruleset.objection_penalty, Why.OBJECTION))
    r.agenda.append((Step.NEXT, laid.seat, 0, 0))


def take_back(r: RoundState, laid: Laid, by: Seat | None, events: list[Event]) -> None:
    """All is as it was before this wrong card."""
    r.laid = None
    r.discard.pop()
    r.hands[laid.seat].append(laid.slot)
    r.top, r.colour, r.passes, r.played = laid.before
    r.decision += 1
    forget_challenge(r)
    events.append(Objected(laid.seat, by, laid.slot, laid.card))
    if r.uno_owed is not None:
        events.append(UnoLapsed(r.uno_owed))
        r.uno_owed = None


def settle(r: RoundState, matter: Matter, events: list[Event]) -> None:
    """Time is up; IllegalAction if nothing of the kind is open."""
    if matter is Matter.VOTE:
        _decide(r, _running(r), False, events)
    else:
        stand(r, _on_trial(r), events)


def _on_trial(r: RoundState) -> Laid:
    if r.laid is None or r.stage is not Phase.OBJECTION:
        raise IllegalAction(Refusal.WRONG_MOMENT)
    return r.laid


def _running(r: RoundState) -> Accusation:
    if r.accusation is None:
        raise IllegalAction(Refusal.NO_VOTING)
    return r.accusation


def stand(r: RoundState, laid: Laid, events: list[Event]) -> None:
    """The card stays, right or wrong, and takes effect."""
    r.laid = None
    events.append(Settled(laid.seat))
    r.agenda.append((Step.EFFECT, laid.seat, laid.card, 0))


def accuse(r: RoundState, seat: Seat, action: Accuse, events: list[Event]) -> None:
    """Start a vote; the accuser has voted with it."""
    r.accusers[seat] = lap(r)
    running = Accusation(action.seat, seat, {seat: True})
    r.accusation = running
    events.append(Accused(action.seat, seat))
    _count(r, running, events)


def vote(r: RoundState, seat: Seat, action: Vote, events: list[Event]) -> None:
    """One more vote."""
    running = _running(r)
    running.votes[seat] = action.guilty
    events.append(Voted(seat, action.guilty))
    _count(r, running, events)


def _count(r: RoundState, running: Accusation, events: list[Event]) -> None:
    """Decide as soon as the votes still missing cannot change the outcome."""
    voters = len(r.seats) - 1
    yes = sum(running.votes.values())
    missing = voters - len(running.votes)
    if yes * 2 > voters:
        _decide(r, running, True, events)
    elif (yes + missing) * 2 <= voters:
        _decide(r, running, False, events)


def drop_votes_of(r: RoundState, seat: Seat, events: list[Event]) -> None:
    """This seat left: a vote by or about it ends, any other one goes on without it.

    A vote also ends when it would be between two people, and when somebody has gone out and only
    the last card's draw is missing.
    """
    running = r.accusation
    if running is None:
        return
    ending = any(step[0] is Step.FINISH for step in r.agenda)
    if ending or len(r.seats) < 3 or seat in (running.accused, running.by):
        _decide(r, running, False, events)
    else:
        running.votes.pop(seat, None)
        _count(r, running, events)


def _decide(r: RoundState, running: Accusation, guilty: bool, events: list[Event]) -> None:
    r.accusation = None
    events.append(VoteDecided(running.accused, guilty))
    if guilty:
        at_once(r, (Step.DRAW, running.accused, r.ruleset.advice_penalty, Why.ADVICE))
