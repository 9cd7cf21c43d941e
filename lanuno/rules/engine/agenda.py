"""The loop that carries out the steps without a decision, until the engine needs the table.

Other modules put the steps on the agenda. An act can need the table before it is complete: a draw
of two cards may need a shuffle, and the next turn starts only after it. An act therefore stores its
consequences as data in `RoundState.agenda`, in the order of execution, and the loop stops while a
shuffle or a face-up card is awaited.
"""

from __future__ import annotations

from lanuno.rules.engine.challenge import judge
from lanuno.rules.engine.effects import apply_card
from lanuno.rules.engine.events import DrawReason, GameEvent, Passed, RoundEnding
from lanuno.rules.engine.pile import ask_open, draw
from lanuno.rules.engine.state import AgendaStep, RoundPhase, RoundState
from lanuno.rules.engine.turns import (
    ask_decision,
    ask_penalty_answer,
    finish,
    lose_turn,
    next_seat,
    start_turn,
)

_DRAW_REASONS = tuple(DrawReason)
# Looked up once: reading an enum member costs as much as some of the steps here.
_DRAW = AgendaStep.DRAW
_DREW = AgendaStep.DREW
_EFFECT = AgendaStep.EFFECT
_TURN = AgendaStep.TURN
_NEXT = AgendaStep.NEXT
_LOSE = AgendaStep.LOSE
_ANSWER = AgendaStep.ANSWER
_FINISH = AgendaStep.FINISH
_DRAWN = RoundPhase.DRAWN


def run_agenda(r: RoundState, events: list[GameEvent]) -> None:
    """Carry out the agenda until it is empty or the table is needed."""
    agenda = r.agenda
    while agenda and r.shuffle is None and not r.opens:
        step, seat, number, extra = agenda.pop(0)
        if step is _DRAW:
            draw(r, seat, number, _DRAW_REASONS[extra], events)
        elif step is _DREW:
            after_draw(r, seat, bool(number), events)
        elif step is _EFFECT:
            apply_card(r, seat, number, events)
        elif step is _NEXT:
            start_turn(r, next_seat(r, seat), events)
        elif step is _LOSE:
            lose_turn(r, seat, events)
        elif step is _TURN:
            start_turn(r, seat, events)
        elif step is _ANSWER:
            ask_penalty_answer(r, seat, events)
        elif step is _FINISH:
            finish(r, RoundEnding(number), None if seat < 0 else seat, events)
        elif step is AgendaStep.JUDGE:
            judge(r, seat, events)
        elif step is AgendaStep.ASK_OBJECTIONS:
            ask_decision(r, RoundPhase.OBJECTION, None)
        else:
            _turn_up(r, events)


def after_draw(r: RoundState, seat: int, forced: bool, events: list[GameEvent]) -> None:
    """Finish a voluntary draw: the drawn card may be played; without a card the draw was a pass.

    `forced` is true if nothing was left when the seat chose to draw. Otherwise another seat's
    penalty took the last cards first, and the pass proves nothing about the hand.
    """
    if r.drawn is not None:
        r.passes = 0
        ask_decision(r, _DRAWN, seat)
        return
    r.passes += forced
    events.append(Passed(seat))
    if r.passes >= len(r.seats):
        finish(r, RoundEnding.BLOCKED, None, events)
    else:
        start_turn(r, next_seat(r, seat), events)


def _turn_up(r: RoundState, events: list[GameEvent]) -> None:
    """Turn up the top card of the draw pile as the starting card."""
    slot = r.pile_next
    r.pile_next = slot + 1
    r.starting_slot = slot
    ask_open(r, (slot,), None, events)
