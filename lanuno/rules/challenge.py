"""Answering a penalty: accept it, or challenge the Wild Draw Four and be shown the hand.

Here: the acts from the pending penalty to the settled challenge. Not here: how the penalty came to
be pending (effects.py) and whether a hand is guilty (legality.py). Of a hand shown to the
challenger only the audit can tell; one that is opened to everybody is judged at once.
"""

from __future__ import annotations

from lanuno.rules.actions import (
    Accept,
    Challenge,
    OpenHand,
    RefuseShow,
    RefuseVerdict,
    Show,
    Verdict,
)
from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.effects import take_penalty
from lanuno.rules.events import (
    Accepted,
    Challenged,
    ChallengeDecided,
    Event,
    HandOpened,
    Shown,
    ShowRefused,
    UnoLapsed,
    VerdictRefused,
    Why,
)
from lanuno.rules.legality import guilty
from lanuno.rules.pile import ask_open
from lanuno.rules.state import Phase, RoundState, Step
from lanuno.rules.turns import decide, forget_challenge

_OF_A_CHALLENGE = frozenset({Phase.SHOW, Phase.VERDICT, Phase.OPEN_HAND})


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
    """Not to show, or not to open what has to be opened, is to be guilty."""
    events.append(ShowRefused(seat))
    decide_challenge(r, True, events)


def verdict(r: RoundState, _seat: Seat, action: Verdict, events: list[Event]) -> None:
    """The challenger's word decides; the audit checks it."""
    decide_challenge(r, action.guilty, events)


def refuse_verdict(r: RoundState, seat: Seat, _action: RefuseVerdict, events: list[Event]) -> None:
    """Without the challenger's word everybody has to see the hand."""
    events.append(VerdictRefused(seat))
    decide(r, Phase.OPEN_HAND, r.accused)


def open_hand(r: RoundState, seat: Seat, _action: OpenHand, events: list[Event]) -> None:
    """Everybody sees the hand, and the rules judge it."""
    ask_open(r, r.accused_hand, None, events)
    r.agenda.insert(0, (Step.JUDGE, seat, 0, 0))


def lies_in_hand(r: RoundState, slot: Slot, card: CardId) -> None:
    """A card of a challenged hand is open: it stays where it is, and everybody knows it."""
    r.face_up[slot] = card


def judge(r: RoundState, seat: Seat, events: list[Event]) -> None:
    """The hand of this seat is open: it decides a challenge, or lies there for one to come."""
    if r.accused != seat:
        return
    truth = r.accused_truth = guilty(r, r.face_up) is True
    if seat in r.hands:
        events.append(HandOpened(seat, r.accused_hand, truth))
    if r.stage in _OF_A_CHALLENGE:
        decide_challenge(r, truth, events)


def decide_challenge(r: RoundState, bluffed: bool, events: list[Event]) -> None:
    """The challenge is settled: who draws, and whose turn it is, goes on the agenda."""
    accused = r.accused
    challenger = r.challenger
    events.append(ChallengeDecided(challenger, accused, bluffed))
    forget_challenge(r)
    count = r.penalty
    r.penalty = 0
    if bluffed:
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
