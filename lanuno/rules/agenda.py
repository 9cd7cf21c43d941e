"""What is still to be done without anybody's decision, carried out until the table is needed.

Here: the loop over the agenda and the small steps. Not here: who puts steps on it.

An act can need the table in its middle: drawing two may need a shuffle, and only then the next
turn starts. So an act leaves its consequences as data on `RoundState.agenda`, first to be done
first, and the loop stops while a shuffle or a face-up card is awaited.
"""

from __future__ import annotations

from lanuno.rules.challenge import judge
from lanuno.rules.effects import apply_card
from lanuno.rules.events import Ending, Event, Passed, Why
from lanuno.rules.pile import ask_open, draw
from lanuno.rules.state import Phase, RoundState, Step
from lanuno.rules.turns import (
    ask_answer,
    decide,
    finish,
    following,
    lose_turn,
    start_turn,
)

_WHY = tuple(Why)


def run(r: RoundState, events: list[Event]) -> None:
    """Do what is on the agenda until it is empty or the table is needed."""
    agenda = r.agenda
    while agenda and r.shuffle is None and not r.opens:
        step, seat, number, extra = agenda.pop(0)
        if step is Step.DRAW:
            draw(r, seat, number, _WHY[extra], events)
        elif step is Step.DREW:
            after_draw(r, seat, bool(number), events)
        elif step is Step.EFFECT:
            apply_card(r, seat, number, events)
        elif step is Step.NEXT:
            start_turn(r, following(r, seat), events)
        elif step is Step.LOSE:
            lose_turn(r, seat, events)
        elif step is Step.TURN:
            start_turn(r, seat, events)
        elif step is Step.ANSWER:
            ask_answer(r, seat, events)
        elif step is Step.FINISH:
            finish(r, Ending(number), None if seat < 0 else seat, events)
        elif step is Step.JUDGE:
            judge(r, seat, events)
        elif step is Step.ASK_OBJECTIONS:
            decide(r, Phase.OBJECTION, None)
        else:
            _turn_up(r, events)


def after_draw(r: RoundState, seat: int, forced: bool, events: list[Event]) -> None:
    """A voluntary draw: its card may be played; without one it was a pass.

    It was `forced` if nothing was left when the seat chose to draw. Otherwise somebody else's
    penalty took the last cards first, and the pass says nothing about the hand.
    """
    if r.drawn is not None:
        r.passes = 0
        decide(r, Phase.DRAWN, seat)
        return
    r.passes += forced
    events.append(Passed(seat))
    if r.passes >= len(r.seats):
        finish(r, Ending.BLOCKED, None, events)
    else:
        start_turn(r, following(r, seat), events)


def _turn_up(r: RoundState, events: list[Event]) -> None:
    """Turn up the top card of the draw pile."""
    slot = r.pile_next
    r.pile_next = slot + 1
    r.turning = slot
    ask_open(r, (slot,), None, events)
