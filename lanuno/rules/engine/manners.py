"""Table manners: cards laid on honour, objections, and votes on advice.

This module decides what a wrong card and advice cost, and what happens when time is up. The waiting
times are settings, and the table measures them.
"""

from __future__ import annotations

from enum import IntEnum, unique

from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import Accuse, Object, Play, Vote
from lanuno.rules.engine.events import (
    Accused,
    DrawReason,
    GameEvent,
    Objected,
    Settled,
    UnoLapsed,
    Voted,
    VoteDecided,
)
from lanuno.rules.engine.legality import current_lap
from lanuno.rules.engine.state import Accusation, AgendaStep, Laid, RoundPhase, RoundState
from lanuno.rules.engine.turns import clear_challenge, insert_after_judging
from lanuno.rules.errors import IllegalAction
from lanuno.rules.refusals import ActRefusal


@unique
class Matter(IntEnum):
    """What the table settles when time is up."""

    CARD = 0  # nobody objected: the card takes effect
    VOTE = 1  # a missing vote counts as a no


def laid_card(r: RoundState, seat: Seat, action: Play) -> Laid:
    """Return what is needed to judge this play and to undo it. Call this before the play."""
    right = (
        r.stage is RoundPhase.PENALTY
        or r.actor != seat
        or (
            action.card in r.deck.playable[r.colour][r.deck.ranks[r.top]]
            and (r.stage is RoundPhase.TURN or action.slot == r.drawn)
        )
    )
    return Laid(seat, action.slot, action.card, not right, (r.top, r.colour, r.passes, r.played))


def object_to(r: RoundState, seat: Seat, _action: Object, events: list[GameEvent]) -> None:
    """Return a wrong card to its player, who draws a penalty, and pass the turn."""
    laid = _card_on_trial(r)
    take_back(r, laid, seat, events)
    r.agenda.append((AgendaStep.DRAW, laid.seat, r.ruleset.objection_penalty, DrawReason.OBJECTION))
    r.agenda.append((AgendaStep.NEXT, laid.seat, 0, 0))


def take_back(r: RoundState, laid: Laid, by: Seat | None, events: list[GameEvent]) -> None:
    """Restore the state before this wrong card was laid."""
    r.laid = None
    r.discard.pop()
    r.hands[laid.seat].append(laid.slot)
    r.top, r.colour, r.passes, r.played = laid.before
    r.decision += 1
    clear_challenge(r)
    events.append(Objected(laid.seat, by, laid.slot, laid.card))
    if r.uno_owed is not None:
        events.append(UnoLapsed(r.uno_owed))
        r.uno_owed = None


def settle(r: RoundState, matter: Matter, events: list[GameEvent]) -> None:
    """Settle a matter whose time is up. Raise IllegalAction if no such matter is open."""
    if matter is Matter.VOTE:
        _end_vote(r, _running_vote(r), False, events)
    else:
        let_card_stand(r, _card_on_trial(r), events)


def _card_on_trial(r: RoundState) -> Laid:
    if r.laid is None or r.stage is not RoundPhase.OBJECTION:
        raise IllegalAction(ActRefusal.WRONG_MOMENT)
    return r.laid


def _running_vote(r: RoundState) -> Accusation:
    if r.accusation is None:
        raise IllegalAction(ActRefusal.NO_VOTING)
    return r.accusation


def let_card_stand(r: RoundState, laid: Laid, events: list[GameEvent]) -> None:
    """Let the card stay, right or wrong, and take effect."""
    r.laid = None
    events.append(Settled(laid.seat))
    r.agenda.append((AgendaStep.EFFECT, laid.seat, laid.card, 0))


def accuse(r: RoundState, seat: Seat, action: Accuse, events: list[GameEvent]) -> None:
    """Start a vote; the accusation is the accuser's vote."""
    r.accusers[seat] = current_lap(r)
    running = Accusation(action.seat, seat, {seat: True})
    r.accusation = running
    events.append(Accused(action.seat, seat))
    _decide_if_settled(r, running, events)


def vote(r: RoundState, seat: Seat, action: Vote, events: list[GameEvent]) -> None:
    """Record one more vote."""
    running = _running_vote(r)
    running.votes[seat] = action.guilty
    events.append(Voted(seat, action.guilty))
    _decide_if_settled(r, running, events)


def _decide_if_settled(r: RoundState, running: Accusation, events: list[GameEvent]) -> None:
    """Decide as soon as the missing votes cannot change the outcome."""
    voters = len(r.seats) - 1
    yes = sum(running.votes.values())
    missing = voters - len(running.votes)
    if yes * 2 > voters:
        _end_vote(r, running, True, events)
    elif (yes + missing) * 2 <= voters:
        _end_vote(r, running, False, events)


def drop_votes_of(r: RoundState, seat: Seat, events: list[GameEvent]) -> None:
    """End a vote that a leaver started or that accuses it; drop its vote in any other.

    A vote also ends when fewer than three seats play, and when a seat has gone out and only the
    draw caused by the last card is pending.
    """
    running = r.accusation
    if running is None:
        return
    ending = any(step[0] is AgendaStep.FINISH for step in r.agenda)
    if ending or len(r.seats) < 3 or seat in (running.accused, running.by):
        _end_vote(r, running, False, events)
    else:
        running.votes.pop(seat, None)
        _decide_if_settled(r, running, events)


def _end_vote(r: RoundState, running: Accusation, guilty: bool, events: list[GameEvent]) -> None:
    r.accusation = None
    events.append(VoteDecided(running.accused, guilty))
    if guilty:
        insert_after_judging(
            r, (AgendaStep.DRAW, running.accused, r.ruleset.advice_penalty, DrawReason.ADVICE)
        )
