"""Moves that the app makes automatically, because the rules leave the player no choice.

Pure functions of a snapshot: whether there is such a move, and how long it is shown before it is
made. controllers/table.py makes the move, in the same way as after a click.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from lanuno.client.snapshot import TableSnapshot
from lanuno.rules.engine.actions import Accept, Accuse, Action, Draw, Keep, Vote
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.view import SeatView

PAUSE_MS: Final = 700
"""Time to see what has happened, with full motion."""
DRAW_PAUSE_MS: Final = 400
"""The same between two cards drawn in a row: as long as between two moves of another player."""
RANDOM_PAUSE_MS: Final = 900
"""Upper limit of the random part of a pause. Without it, the timing would reveal to the other
players that there was no choice."""


class AutomaticMoves(Struct, frozen=True):
    """Which moves the user lets the app make."""

    keep: bool = True
    draw: bool = True
    accept: bool = True


NO_AUTOMATIC_MOVES: Final = AutomaticMoves(keep=False, draw=False, accept=False)


def only_answer(view: SeatView) -> Action | None:
    """Return the one legal act of the seat that decides, or None if there is a choice.

    Votes and accusations are not answers, and remain possible after any answer. The moment to say
    "UNO", to catch or to object may be over with the next turn, so these are a choice.
    """
    if view.seat is None or view.decider != view.seat:
        return None
    if len(view.hand) != view.counts[view.seats.index(view.seat)]:
        return None  # a card that is not open yet may allow another answer
    acts = [act for act in view.legal if not isinstance(act, Accuse | Vote)]
    return acts[0] if len(acts) == 1 else None


def automatic(snapshot: TableSnapshot, settings: AutomaticMoves) -> Action | None:
    """Return the move that the app makes now, or None if the player decides.

    It makes no move for a player for whom the clock has decided. An absent player must not seem
    present, or the others would wait for the whole clock in each of that player's turns.
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
    """Return how long the move is shown before it is made. `chance(n)`: a random number below n."""
    if isinstance(act, Draw):
        # Only a player who cannot play may draw on, so the timing reveals nothing.
        return round(DRAW_PAUSE_MS * motion)
    return round(PAUSE_MS * motion) + chance(RANDOM_PAUSE_MS)
