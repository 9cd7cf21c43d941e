"""What each act does: from a legal act to its events.

Here: one function for every kind of act. Not here: whether it is legal (legality.py, already
asked), what a card does once it lies (effects.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lanuno.rules.actions import (
    Accept,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Play,
    RefuseShow,
    SayUno,
    Show,
    Verdict,
)
from lanuno.rules.agenda import run
from lanuno.rules.cards import Rank, Seat
from lanuno.rules.effects import take_penalty
from lanuno.rules.events import (
    Accepted,
    Challenged,
    ChallengeDecided,
    ColourNamed,
    Event,
    Kept,
    Played,
    Shown,
    ShowRefused,
    UnoLapsed,
    UnoMissed,
    UnoSaid,
    Why,
)
from lanuno.rules.ruleset import WildFour
from lanuno.rules.state import Phase, RoundState, Step
from lanuno.rules.turns import begin_turn, decide, following, forget_challenge, start_turn


def carry_out(r: RoundState, seat: Seat, action: Action, events: list[Event]) -> None:
    """Do a legal act and all that follows from it."""
    _ACTS[type(action)](r, seat, action, events)
    if r.agenda:
        run(r, events)


def _play(r: RoundState, seat: Seat, action: Play, events: list[Event]) -> None:
    begin_turn(r, events)
    slot = action.slot
    card = action.card
    hand = r.hands[seat]
    hand.remove(slot)
    before = r.colour
    jumped = r.actor != seat
    r.discard.append((slot, card))
    r.face_up[slot] = card
    r.top = card
    r.passes = 0
    r.played = True
    r.drawn = None
    r.actor = seat
    r.decision += 1
    left = len(hand)
    events.append(Played(seat, slot, card, left, jumped))
    if action.colour is None:
        r.colour = r.deck.colours[card]
    else:
        r.colour = int(action.colour)
        events.append(ColourNamed(seat, r.colour))
    if left == 1:
        if action.uno:
            events.append(UnoSaid(seat))
        else:
            r.uno_owed = seat
    forget_challenge(r)
    if left and r.deck.ranks[card] == Rank.WILD_DRAW_FOUR and r.wild_four is WildFour.BLUFF:
        r.accused = seat
        r.accused_colour = before
        r.accused_hand = tuple(hand)
    r.agenda.append((Step.EFFECT, seat, card, 0))


def _draw(r: RoundState, seat: Seat, _action: Draw, events: list[Event]) -> None:
    begin_turn(r, events)
    r.drawn = None
    r.agenda.append((Step.DRAW, seat, 1, Why.TURN))
    r.agenda.append((Step.DREW, seat, 0, 0))


def _keep(r: RoundState, seat: Seat, _action: Keep, events: list[Event]) -> None:
    events.append(Kept(seat))
    start_turn(r, following(r, seat), events)


def _name_colour(r: RoundState, seat: Seat, action: NameColour, events: list[Event]) -> None:
    r.colour = int(action.colour)
    events.append(ColourNamed(seat, r.colour))
    start_turn(r, seat, events)


def _say_uno(r: RoundState, seat: Seat, _action: SayUno, events: list[Event]) -> None:
    r.uno_owed = None
    events.append(UnoSaid(seat))


def _catch(r: RoundState, seat: Seat, action: Catch, events: list[Event]) -> None:
    r.uno_owed = None
    events.append(UnoMissed(action.seat, seat))
    r.agenda.insert(0, (Step.DRAW, action.seat, r.ruleset.uno_penalty, Why.UNO))


def _accept(r: RoundState, seat: Seat, _action: Accept, events: list[Event]) -> None:
    forget_challenge(r)
    events.append(Accepted(seat))
    take_penalty(r, seat)


def _challenge(r: RoundState, seat: Seat, _action: Challenge, events: list[Event]) -> None:
    accused = r.accused
    r.challenger = seat
    events.append(Challenged(seat, accused, r.accused_hand))
    if r.accused_truth is not None:
        decide_challenge(r, r.accused_truth, events)
    else:
        decide(r, Phase.SHOW, accused)


def _show(r: RoundState, seat: Seat, _action: Show, events: list[Event]) -> None:
    challenger = r.challenger
    events.append(Shown(seat, challenger, r.accused_hand))
    decide(r, Phase.VERDICT, challenger)


def _refuse_show(r: RoundState, seat: Seat, _action: RefuseShow, events: list[Event]) -> None:
    events.append(ShowRefused(seat))
    decide_challenge(r, True, events)


def _verdict(r: RoundState, _seat: Seat, action: Verdict, events: list[Event]) -> None:
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


_Act = Callable[[RoundState, Seat, Any, list[Event]], None]
_ACTS: dict[type, _Act] = {
    Play: _play,
    Draw: _draw,
    Keep: _keep,
    NameColour: _name_colour,
    SayUno: _say_uno,
    Catch: _catch,
    Accept: _accept,
    Challenge: _challenge,
    Show: _show,
    RefuseShow: _refuse_show,
    Verdict: _verdict,
}
