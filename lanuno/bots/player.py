"""The interface of a bot: it receives a seat's view and returns one of the legal acts.

Here: the interface, and queries on a view that several bots share. Not here: strategies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from lanuno.rules.engine.actions import ANY_TIME, Action, Play
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.view import SeatView

_OWN_TURN = (RoundPhase.TURN, RoundPhase.DRAWN)
"""Phases in which a wrong card can be laid on honour. One that answers a penalty is right."""


class Player(Protocol):
    """The decision maker of a seat."""

    def choose(self, view: SeatView) -> Action | None:
        """Return the act to take now, one of `view.legal`; None to do nothing."""


def answering_acts(view: SeatView) -> Iterator[Action]:
    """Return the legal acts that answer the open decision of this seat."""
    return (action for action in view.legal if not isinstance(action, ANY_TIME))


def is_rightful(view: SeatView, play: Play) -> bool:
    """Whether no player could object to the card of this legal play.

    A legal play can be wrong only under table manners "honour": in the seat's own turn, with a card
    that does not match, or with a card other than the one just drawn.
    """
    if view.decider != view.seat or view.phase not in _OWN_TURN or view.top is None:
        return True
    if view.phase is RoundPhase.DRAWN and play.slot != view.drawn:
        return False
    face = next(held.face for held in view.hand if held.slot == play.slot)
    return face.is_wild or face.colour == view.colour or face.rank == view.top.rank


def is_bluff(view: SeatView, play: Play) -> bool:
    """Whether this play is a Wild Draw Four while the hand holds a card of the current colour."""
    faces = {held.slot: held.face for held in view.hand}
    return faces[play.slot].rank.traits.restricted and any(
        face.colour == view.colour for slot, face in faces.items() if slot != play.slot
    )
