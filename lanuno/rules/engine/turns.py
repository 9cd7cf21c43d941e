"""Whose turn it is: order of play, beginning, losing and ending turns, and owing "UNO".

card_effects.py says what each card does, and legality.py which acts are legal.
"""

from __future__ import annotations

from lanuno.rules.cards import NO_COLOUR, Seat
from lanuno.rules.engine.events import (
    DrawReason,
    GameEvent,
    PenaltyPending,
    RoundEnding,
    RoundOver,
    Skipped,
    TurnStarted,
    UnoLapsed,
    UnoMissed,
)
from lanuno.rules.engine.state import NOBODY, AgendaItem, AgendaStep, RoundPhase, RoundState
from lanuno.rules.ruleset import UnoRule

_TURN = RoundPhase.TURN


def next_seat(r: RoundState, seat: Seat) -> Seat:
    """Return the seat after this one in the direction of play; `seat` may have left."""
    return r.left_of[seat] if r.direction > 0 else r.right_of[seat]


def ask_decision(r: RoundState, stage: RoundPhase, seat: Seat | None) -> None:
    """Ask a seat for a decision; None asks no single seat, as while a card is on trial."""
    r.stage = stage
    r.actor = seat
    r.decision += 1


def start_turn(r: RoundState, seat: Seat, events: list[GameEvent]) -> None:
    """Give the turn to this seat, or end the round if the laps are played."""
    if r.turn_limit and laps_played(r):
        finish(r, RoundEnding.LAPS, None, events)
        return
    r.turns += 1
    r.stage = _TURN
    r.actor = seat
    r.decision += 1
    r.drawn = None
    events.append(TurnStarted(seat))


def lose_turn(r: RoundState, seat: Seat, events: list[GameEvent]) -> None:
    """Skip this seat's turn, which still counts for the laps."""
    r.turns += 1
    events.append(Skipped(seat))


def insert_first(r: RoundState, *steps: AgendaItem) -> None:
    """Put these steps at the start of the agenda."""
    r.agenda[0:0] = steps


def insert_after_judging(r: RoundState, item: AgendaItem) -> None:
    """Put a step at the start of the agenda, but after the judging of hands that are being opened.

    Those hands have to be judged before a draw can shuffle them into a new pile.
    """
    place = 0
    while place < len(r.agenda) and r.agenda[place][0] is AgendaStep.JUDGE:
        place += 1
    r.agenda.insert(place, item)


def laps_played(r: RoundState) -> bool:
    """Whether the last turn of the last lap has begun or was lost."""
    return 0 < r.turn_limit <= r.turns


def begin_turn(r: RoundState, owed: Seat, events: list[GameEvent]) -> None:
    """Begin a turn while `owed` owes "UNO": the rules punish that seat, or it no longer owes it.

    The penalty of the automatic rule goes on the agenda and is drawn before the act's effects.
    """
    r.uno_owed = None
    if r.ruleset.uno is UnoRule.AUTOMATIC:
        events.append(UnoMissed(owed, None))
        r.agenda.append((AgendaStep.DRAW, owed, r.ruleset.uno_penalty, DrawReason.UNO))
    else:
        events.append(UnoLapsed(owed))


def ask_penalty_answer(r: RoundState, seat: Seat, events: list[GameEvent]) -> None:
    """Ask this seat how it answers the pending penalty of `r.penalty` cards."""
    ask_decision(r, RoundPhase.PENALTY, seat)
    events.append(PenaltyPending(seat, r.penalty, r.accused != NOBODY))


def clear_challenge(r: RoundState) -> None:
    """Forget the Wild Draw Four that could be challenged."""
    r.accused = NOBODY
    r.accused_colour = NO_COLOUR
    r.accused_hand = ()
    r.accused_truth = None
    r.challenger = NOBODY


def finish(r: RoundState, ending: RoundEnding, out: Seat | None, events: list[GameEvent]) -> None:
    """End the round and drop everything that was pending."""
    r.ending = ending
    r.out = out
    r.agenda.clear()
    r.drawn = None
    r.penalty = 0
    r.laid = None
    r.uno_owed = None
    r.accusation = None
    clear_challenge(r)
    ask_decision(r, RoundPhase.OVER, None)
    events.append(RoundOver(ending, out))
