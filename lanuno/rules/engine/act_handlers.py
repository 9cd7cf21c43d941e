"""What each act does: one function per kind of act turns a legal act into its events.

legality.py has already checked the act. effects.py applies a card after it has been played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Verdict,
    Vote,
)
from lanuno.rules.engine.agenda import after_draw, run_agenda
from lanuno.rules.engine.challenge import (
    accept,
    challenge,
    open_hand,
    refuse_show,
    refuse_verdict,
    show,
    verdict,
)
from lanuno.rules.engine.effects import apply_card
from lanuno.rules.engine.events import (
    ColourNamed,
    DrawReason,
    GameEvent,
    Kept,
    Played,
    UnoMissed,
    UnoSaid,
)
from lanuno.rules.engine.manners import accuse, laid_card, object_to, vote
from lanuno.rules.engine.pile import draw, nothing_left
from lanuno.rules.engine.question import question_answered
from lanuno.rules.engine.state import NOBODY, AgendaStep, RoundPhase, RoundState
from lanuno.rules.engine.turns import (
    begin_turn,
    clear_challenge,
    insert_after_judging,
    next_seat,
    start_turn,
)
from lanuno.rules.ruleset import Manners, WildFour

# Looked up once: reading an enum member costs as much as some of the rules here.
_HONOUR = Manners.HONOUR
_BLUFF = WildFour.BLUFF
_PENALTY = RoundPhase.PENALTY
_QUESTION = RoundPhase.QUESTION
_TURN = DrawReason.TURN


def carry_out(r: RoundState, seat: Seat, action: Action, events: list[GameEvent]) -> None:
    """Carry out a legal act and everything that follows from it."""
    question = r.stage is _QUESTION and question_answered(r, seat, action)
    if question:
        question.answer(r, seat, action, events)
    else:
        _ACTS[type(action)](r, seat, action, events)
    if r.agenda:
        run_agenda(r, events)


def _play(r: RoundState, seat: Seat, action: Play, events: list[GameEvent]) -> None:
    if r.uno_owed is not None:
        begin_turn(r, r.uno_owed, events)
    if r.ruleset.manners is _HONOUR:
        r.laid = laid_card(r, seat, action)
    slot = action.slot
    card = action.card
    hand = r.hands[seat]
    hand.remove(slot)
    before = r.colour
    jumped = r.actor != seat
    if r.stage is _PENALTY:
        r.turns += 1  # the turn that would otherwise have been lost
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
    if r.accused != NOBODY:
        clear_challenge(r)
    if left and card in r.deck.restricted and r.ruleset.wild_four is _BLUFF:
        r.accused = seat
        r.accused_colour = before
        r.accused_hand = tuple(hand)
    if r.laid is not None:
        r.agenda.append((AgendaStep.ASK_OBJECTIONS, seat, 0, 0))
    elif r.agenda:
        r.agenda.append((AgendaStep.EFFECT, seat, card, 0))
    else:
        apply_card(r, seat, card, events)


def _draw(r: RoundState, seat: Seat, _action: Draw, events: list[GameEvent]) -> None:
    if r.uno_owed is not None:
        begin_turn(r, r.uno_owed, events)
    r.drawn = None
    if r.agenda or r.pile_next == r.pile_end:
        forced = int(nothing_left(r))
        r.agenda.append((AgendaStep.DRAW, seat, 1, _TURN))
        r.agenda.append((AgendaStep.DREW, seat, forced, 0))
    else:
        draw(r, seat, 1, _TURN, events)
        after_draw(r, seat, False, events)


def _keep(r: RoundState, seat: Seat, _action: Keep, events: list[GameEvent]) -> None:
    events.append(Kept(seat))
    start_turn(r, next_seat(r, seat), events)


def _name_colour(r: RoundState, seat: Seat, action: NameColour, events: list[GameEvent]) -> None:
    r.colour = int(action.colour)
    events.append(ColourNamed(seat, r.colour))
    start_turn(r, seat, events)


def _say_uno(r: RoundState, seat: Seat, _action: SayUno, events: list[GameEvent]) -> None:
    r.uno_owed = None
    events.append(UnoSaid(seat))


def _catch(r: RoundState, seat: Seat, action: Catch, events: list[GameEvent]) -> None:
    r.uno_owed = None
    events.append(UnoMissed(action.seat, seat))
    insert_after_judging(r, (AgendaStep.DRAW, action.seat, r.ruleset.uno_penalty, DrawReason.UNO))


_Act = Callable[[RoundState, Seat, Any, list[GameEvent]], None]
_ACTS: dict[type, _Act] = {
    Play: _play,
    Draw: _draw,
    Keep: _keep,
    NameColour: _name_colour,
    SayUno: _say_uno,
    Catch: _catch,
    Accept: accept,
    Challenge: challenge,
    Show: show,
    RefuseShow: refuse_show,
    Verdict: verdict,
    Object: object_to,
    Accuse: accuse,
    Vote: vote,
    OpenHand: open_hand,
    RefuseVerdict: refuse_verdict,
}
