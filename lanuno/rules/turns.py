"""Whose turn it is: order of play, beginning, losing and ending turns, owing "UNO".

Here: what moves the turn. Not here: what each card does (effects.py) and which acts are legal.
"""

from __future__ import annotations

from lanuno.rules.cards import NO_COLOUR, Seat
from lanuno.rules.events import (
    Ending,
    Event,
    PenaltyPending,
    RoundOver,
    Skipped,
    TurnStarted,
    UnoLapsed,
    UnoMissed,
    Why,
)
from lanuno.rules.ruleset import UnoRule
from lanuno.rules.state import NOBODY, Phase, RoundState, Step, Todo

_TURN = Phase.TURN


def following(r: RoundState, seat: Seat) -> Seat:
    """Who plays after this seat in the direction of play; `seat` may have left."""
    return r.left_of[seat] if r.direction > 0 else r.right_of[seat]


def decide(r: RoundState, stage: Phase, seat: Seat | None) -> None:
    """Ask a seat (or, on trial of a card, everybody) for a decision."""
    r.stage = stage
    r.actor = seat
    r.decision += 1


def start_turn(r: RoundState, seat: Seat, events: list[Event]) -> None:
    """The turn goes to this seat, unless the laps are played."""
    if r.turn_limit and laps_played(r):
        finish(r, Ending.LAPS, None, events)
        return
    r.turns += 1
    r.stage = _TURN
    r.actor = seat
    r.decision += 1
    r.drawn = None
    events.append(TurnStarted(seat))


def lose_turn(r: RoundState, seat: Seat, events: list[Event]) -> None:
    """This seat's turn is lost; it counts for the laps."""
    r.turns += 1
    events.append(Skipped(seat))


def at_once(r: RoundState, todo: Todo) -> None:
    """Put a step before all that waits, but after the judging of hands that are being opened.

    Those have to be seen before a draw can shuffle them into a new pile.
    """
    place = 0
    while place < len(r.agenda) and r.agenda[place][0] is Step.JUDGE:
        place += 1
    r.agenda.insert(place, todo)


def laps_played(r: RoundState) -> bool:
    """Whether the last turn of the last lap has begun or is lost."""
    return 0 < r.turn_limit <= r.turns


def begin_turn(r: RoundState, owed: Seat, events: list[Event]) -> None:
    """A play or a voluntary draw while `owed` still owes "UNO": it is punished or free of it.

    The penalty of the automatic rule goes on the agenda: it is drawn before the act's effects.
    """
    r.uno_owed = None
    if r.ruleset.uno is UnoRule.AUTOMATIC:
        events.append(UnoMissed(owed, None))
        r.agenda.append((Step.DRAW, owed, r.ruleset.uno_penalty, Why.UNO))
    else:
        events.append(UnoLapsed(owed))


def ask_answer(r: RoundState, seat: Seat, events: list[Event]) -> None:
    """This seat is hit by `r.penalty` cards and decides what to do about it."""
    decide(r, Phase.PENALTY, seat)
    events.append(PenaltyPending(seat, r.penalty, r.accused != NOBODY))


def forget_challenge(r: RoundState) -> None:
    """No Wild Draw Four is open to doubt any more."""
    r.accused = NOBODY
    r.accused_colour = NO_COLOUR
    r.accused_hand = ()
    r.accused_truth = None
    r.challenger = NOBODY


def finish(r: RoundState, ending: Ending, out: Seat | None, events: list[Event]) -> None:
    """The round is over; nothing that was pending happens any more."""
    r.ending = ending
    r.out = out
    r.agenda.clear()
    r.drawn = None
    r.penalty = 0
    r.laid = None
    r.uno_owed = None
    r.accusation = None
    forget_challenge(r)
    decide(r, Phase.OVER, None)
    events.append(RoundOver(ending, out))
