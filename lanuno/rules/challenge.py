"""Answering a penalty: accept it, or challenge the Wild Draw Four and be shown the hand.

Here: the acts from the pending penalty to the settled challenge. Not here: how the penalty came to
be pending (effects.py) and whether the hand shown was guilty (legality.py, for the audit).
"""

from __future__ import annotations

from lanuno.rules.actions import Accept, Challenge, RefuseShow, Show, Verdict
from lanuno.rules.cards import Seat
from lanuno.rules.effects import take_penalty
from lanuno.rules.events import (
    Accepted,
    Challenged,
    ChallengeDecided,
    Event,
    Shown,
    ShowRefused,
    UnoLapsed,
    Why,
)
from lanuno.rules.state import Phase, RoundState, Step
from lanuno.rules.turns import decide, forget_challenge


def accept(r: RoundState, seat: Seat, _action: Accept, events: list[Event]) -> None:
    """Take what is pending and lose the turn."""
    forget_challenge(r)
    events.append(Accepted(seat))
    take_penalty(r, seat)


def challenge(r: RoundState, seat: Seat, _action: Challenge, events: list[Event]) -> None:
    """Ask to see the hand; that of somebody who left lies open already."""
    r.challenger = seat
    events.append(Challenged(seat, r.accused, r.accused_hand))
    if r.accused_truth is None:
        decide(r, Phase.SHOW, r.accused)
    else:
        decide_challenge(r, r.accused_truth, events)


def show(r: RoundState, seat: Seat, _action: Show, events: list[Event]) -> None:
    """The challenger sees the hand and says what it is."""
    events.append(Shown(seat, r.challenger, r.accused_hand))
    decide(r, Phase.VERDICT, r.challenger)


def refuse_show(r: RoundState, seat: Seat, _action: RefuseShow, events: list[Event]) -> None:
    """Not to show is to be guilty."""
    events.append(ShowRefused(seat))
    decide_challenge(r, True, events)


def verdict(r: RoundState, _seat: Seat, action: Verdict, events: list[Event]) -> None:
    """The challenger's word decides; the audit checks it."""
    decide_challenge(r, action.guilty, events)


def decide_challenge(r: RoundState, guilty: bool, events: list[Event]) -> None:
    """The challenge is settled: who draws, and whose turn it is, goes on the agenda."""
    accused = r.accused
    challenger = r.challenger
    events.append(ChallengeDecided(challenger, accused, guilty))
    forget_challenge(r)
    count = r.penalty
    r.penalty = 0
    if guilty:
        if r.uno_owed == accused:
            r.uno_owed = None
            events.append(UnoLapsed(accused))
        r.agenda.append((Step.DRAW, accused, count, Why.CHALLENGED))
        r.agenda.append((Step.TURN, challenger, 0, 0))
    else:
        count += r.ruleset.challenge_penalty
        r.agenda.append((Step.DRAW, challenger, count, Why.CHALLENGE_LOST))
        r.agenda.append((Step.LOSE, challenger, 0, 0))
        r.agenda.append((Step.NEXT, challenger, 0, 0))
