"""The interface of a bot: a seat's view in, one of the legal acts out.

Here: the one method, and queries on a view that bots share. Not here: strategies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from lanuno.rules.engine.actions import ANY_TIME, Action, Play
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.view import SeatView

_OWN_TURN = (RoundPhase.TURN, RoundPhase.DRAWN)
"""When a card has to match. On a penalty or as an answer, the rules let nobody lay a wrong one."""


class Player(Protocol):
    """A program that decides for a seat."""

    def choose(self, view: SeatView) -> Action | None:
        """What to do now, one of `seen.legal`; None to do nothing."""


def answering_acts(view: SeatView) -> Iterator[Action]:
    """The legal acts that answer the open decision of this seat."""
    return (action for action in view.legal if not isinstance(action, ANY_TIME))


def is_rightful(view: SeatView, play: Play) -> bool:
    """Whether no player could object to the card of this legal play.

    Only under table manners "honour" a legal play can be wrong: in the own turn, with a card that
    does not match, or with another card than the one just drawn.
    """
    if view.decider != view.seat or view.phase not in _OWN_TURN or view.top is None:
        return True
    if view.phase is RoundPhase.DRAWN and play.slot != view.drawn:
        return False
    face = next(held.face for held in view.hand if held.slot == play.slot)
    return face.is_wild or face.colour == view.colour or face.rank == view.top.rank


def is_bluff(view: SeatView, play: Play) -> bool:
    """Whether this would be a Wild Draw Four beside a card of the current colour."""
    faces = {held.slot: held.face for held in view.hand}
    return faces[play.slot].rank.traits.restricted and any(
        face.colour == view.colour for slot, face in faces.items() if slot != play.slot
    )
