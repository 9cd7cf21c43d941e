"""What each act does: from a legal act to its events.

Here: one function for every kind of act. Not here: whether it is legal (legality.py, already
asked), what a card does once it lies (effects.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lanuno.rules.actions import (
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
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.agenda import after_draw, run
from lanuno.rules.cards import Seat
from lanuno.rules.challenge import (
    accept,
    challenge,
    open_hand,
    refuse_show,
    refuse_verdict,
    show,
    verdict,
)
from lanuno.rules.effects import apply_card
from lanuno.rules.events import (
    ColourNamed,
    Event,
    Kept,
    Played,
    UnoMissed,
    UnoSaid,
    Why,
)
from lanuno.rules.manners import accuse, lay, object_to, vote
from lanuno.rules.pile import draw, nothing_left
from lanuno.rules.ruleset import Manners, WildFour
from lanuno.rules.state import NOBODY, Phase, RoundState, Step
from lanuno.rules.swapping import swap
from lanuno.rules.turns import at_once, begin_turn, following, forget_challenge, start_turn

# Looking up a member of an enumeration costs as much as some of the rules here.
_HONOUR = Manners.HONOUR
_BLUFF = WildFour.BLUFF
_PENALTY = Phase.PENALTY
_TURN = Why.TURN


def carry_out(r: RoundState, seat: Seat, action: Action, events: list[Event]) -> None:
    """Do a legal act and all that follows from it."""
    _ACTS[type(action)](r, seat, action, events)
    if r.agenda:
        run(r, events)


def _play(r: RoundState, seat: Seat, action: Play, events: list[Event]) -> None:
    if r.uno_owed is not None:
        begin_turn(r, r.uno_owed, events)
    if r.ruleset.manners is _HONOUR:
        r.laid = lay(r, seat, action)
    slot = action.slot
    card = action.card
    hand = r.hands[seat]
    hand.remove(slot)
    before = r.colour
    jumped = r.actor != seat
    if r.stage is _PENALTY:
        r.turns += 1  # the turn that was to be lost
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
        forget_challenge(r)
    if card >= r.deck.first_four and left and r.wild_four is _BLUFF:
        r.accused = seat
        r.accused_colour = before
        r.accused_hand = tuple(hand)
    if r.laid is not None:
        r.agenda.append((Step.ASK_OBJECTIONS, seat, 0, 0))
    elif r.agenda:
        r.agenda.append((Step.EFFECT, seat, card, 0))
    else:
        apply_card(r, seat, card, events)


def _draw(r: RoundState, seat: Seat, _action: Draw, events: list[Event]) -> None:
    if r.uno_owed is not None:
        begin_turn(r, r.uno_owed, events)
    r.drawn = None
    if r.agenda or r.pile_next == r.pile_end:
        forced = int(nothing_left(r))
        r.agenda.append((Step.DRAW, seat, 1, _TURN))
        r.agenda.append((Step.DREW, seat, forced, 0))
    else:
        draw(r, seat, 1, _TURN, events)
        after_draw(r, seat, False, events)


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
    at_once(r, (Step.DRAW, action.seat, r.ruleset.uno_penalty, Why.UNO))


_Act = Callable[[RoundState, Seat, Any, list[Event]], None]
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
    Swap: swap,
    Object: object_to,
    Accuse: accuse,
    Vote: vote,
    OpenHand: open_hand,
    RefuseVerdict: refuse_verdict,
}
