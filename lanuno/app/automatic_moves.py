"""Which moves the app makes by itself, because the rules leave the player nothing else.

Pure functions of one picture of a table. Here: when there is such a move, and how long it is shown
before it is made. Not here: making it (controllers/table.py, by the way of a click).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lanuno.client.snapshot import TableSnapshot
from lanuno.rules.engine.actions import Accept, Accuse, Action, Draw, Keep, Vote
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.view import SeatView

PAUSE_MS: Final = 700
"""For seeing what happened, with full motion."""
DRAW_PAUSE_MS: Final = 400
"""The same between two cards of a row that is drawn: as between two moves of somebody else."""
RANDOM_PAUSE_MS: Final = 900
"""The most that chance adds to a pause. Without it the others could tell from the time that there
was no choice."""


@dataclass(frozen=True, slots=True)
class AutomaticMoves:
    """The settings."""

    keep: bool = True
    draw: bool = True
    accept: bool = True


NO_AUTOMATIC_MOVES: Final = AutomaticMoves(keep=False, draw=False, accept=False)


def only_answer(view: SeatView) -> Action | None:
    """The one act that is legal for the seat that decides; None if there is a choice.

    Votes and accusations are no answers and stay possible behind any; but a moment to say "UNO", to
    catch somebody or to object may be over with the next turn, and is a choice.
    """
    if view.seat is None or view.decider != view.seat:
        return None
    if len(view.hand) != view.counts[view.seats.index(view.seat)]:
        return None  # a card that is not open yet may be another answer
    acts = [act for act in view.legal if not isinstance(act, Accuse | Vote)]
    return acts[0] if len(acts) == 1 else None


def automatic(snapshot: TableSnapshot, settings: AutomaticMoves) -> Action | None:
    """What the app does by itself now; None if the player is asked.

    Nothing for a player for whom the clock has decided. An absent player must not seem to be here,
    or the others would wait for the whole clock again in each of that player's turns.
    """
    view = snapshot.view
    if view is None or not snapshot.to_move or not snapshot.in_contact or snapshot.clocked:
        return None
    act = only_answer(view)
    match view.phase, act:
        case RoundPhase.DRAWN, Keep():
            return act if settings.keep else None
        case RoundPhase.DRAWN, Draw():
            return act if settings.draw else None
        case RoundPhase.PENALTY, Accept():
            return act if settings.accept else None
        case _:
            return None


def pause_ms(act: Action, motion: float, chance: Callable[[int], int]) -> int:
    """For how long it is shown that this will be done. `chance`: a number below another."""
    if isinstance(act, Draw):
        # The rules let nobody draw on who could play: the time tells nothing.
        return round(DRAW_PAUSE_MS * motion)
    return round(PAUSE_MS * motion) + chance(RANDOM_PAUSE_MS)
