"""Answering a penalty: accept it, or challenge the Wild Draw Four and be shown the hand.

This module holds the acts from the pending penalty to the settled challenge. card_effects.py makes
a penalty pending, and legality.py judges whether a hand is guilty. Only the audit can check a hand
that was shown to the challenger alone; a hand opened to everybody is judged immediately.
"""

from __future__ import annotations

from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import (
    Accept,
    Challenge,
    OpenHand,
    RefuseShow,
    RefuseVerdict,
    Show,
    Verdict,
)
from lanuno.rules.engine.effects import take_penalty
from lanuno.rules.engine.events import (
    Accepted,
    Challenged,
    ChallengeDecided,
    DrawReason,
    GameEvent,
    HandOpened,
    Shown,
    ShowRefused,
    UnoLapsed,
    VerdictRefused,
)
from lanuno.rules.engine.legality import guilty
from lanuno.rules.engine.pile import ask_open
from lanuno.rules.engine.state import AgendaStep, RoundPhase, RoundState
from lanuno.rules.engine.turns import ask_decision, clear_challenge

_OF_A_CHALLENGE = frozenset({RoundPhase.SHOW, RoundPhase.VERDICT, RoundPhase.OPEN_HAND})


def accept(r: RoundState, seat: Seat, _action: Accept, events: list[GameEvent]) -> None:
    """Draw the pending cards and lose the turn."""
    clear_challenge(r)
    events.append(Accepted(seat))
    take_penalty(r, seat)


def challenge(r: RoundState, seat: Seat, _action: Challenge, events: list[GameEvent]) -> None:
    """Ask to see the hand, unless its seat has left and the hand is already open."""
    r.challenger = seat
    events.append(Challenged(seat, r.accused, r.accused_hand))
    if r.accused_truth is None:
        ask_decision(r, RoundPhase.SHOW, r.accused)
    else:
        decide_challenge(r, r.accused_truth, events)


def show(r: RoundState, seat: Seat, _action: Show, events: list[GameEvent]) -> None:
    """Show the hand to the challenger and ask for a verdict."""
    events.append(Shown(seat, r.challenger, r.accused_hand))
    ask_decision(r, RoundPhase.VERDICT, r.challenger)


def refuse_show(r: RoundState, seat: Seat, _action: RefuseShow, events: list[GameEvent]) -> None:
    """Count a seat that neither shows nor opens its challenged hand as guilty."""
    events.append(ShowRefused(seat))
    decide_challenge(r, True, events)


def verdict(r: RoundState, _seat: Seat, action: Verdict, events: list[GameEvent]) -> None:
    """Let the challenger's verdict decide; the audit checks it later."""
    decide_challenge(r, action.guilty, events)


def refuse_verdict(
    r: RoundState, seat: Seat, _action: RefuseVerdict, events: list[GameEvent]
) -> None:
    """Ask for the hand to be opened to everybody, as there is no verdict."""
    events.append(VerdictRefused(seat))
    ask_decision(r, RoundPhase.OPEN_HAND, r.accused)


def open_hand(r: RoundState, seat: Seat, _action: OpenHand, events: list[GameEvent]) -> None:
    """Open the hand to everybody and let the rules judge it."""
    ask_open(r, r.accused_hand, None, events)
    r.agenda.insert(0, (AgendaStep.JUDGE, seat, 0, 0))


def judge(r: RoundState, seat: Seat, events: list[GameEvent]) -> None:
    """Judge the opened hand of this seat; it decides the present challenge, or a later one."""
    if r.accused != seat:
        return
    truth = r.accused_truth = guilty(r, r.face_up) is True
    if seat in r.hands:
        events.append(HandOpened(seat, r.accused_hand, truth))
    if r.stage in _OF_A_CHALLENGE:
        decide_challenge(r, truth, events)


def decide_challenge(r: RoundState, bluffed: bool, events: list[GameEvent]) -> None:
    """Settle the challenge: put on the agenda who draws and whose turn is next."""
    accused = r.accused
    challenger = r.challenger
    events.append(ChallengeDecided(challenger, accused, bluffed))
    clear_challenge(r)
    count = r.penalty
    r.penalty = 0
    if bluffed:
        if r.uno_owed == accused:
            r.uno_owed = None
            events.append(UnoLapsed(accused))
        r.agenda.append((AgendaStep.DRAW, accused, count, DrawReason.CHALLENGED))
        r.agenda.append((AgendaStep.TURN, challenger, 0, 0))
    else:
        count += r.ruleset.challenge_penalty
        r.agenda.append((AgendaStep.DRAW, challenger, count, DrawReason.CHALLENGE_LOST))
        r.agenda.append((AgendaStep.LOSE, challenger, 0, 0))
        r.agenda.append((AgendaStep.NEXT, challenger, 0, 0))
