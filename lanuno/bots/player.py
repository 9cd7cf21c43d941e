"""What a player is to whoever asks it: a seat's view in, one of the legal acts out.

Here: the one method, and what can be told from a view. Not here: any way of playing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from lanuno.rules.actions import ANY_TIME, Action, Play
from lanuno.rules.cards import Rank
from lanuno.rules.state import Phase
from lanuno.rules.view import SeatView


class Player(Protocol):
    """Whoever decides for a seat."""

    def choose(self, seen: SeatView) -> Action | None:
        """What to do now, one of `seen.legal`; None to do nothing."""


def answers(seen: SeatView) -> Iterator[Action]:
    """The legal acts that answer the question which this seat is asked."""
    return (action for action in seen.legal if not isinstance(action, ANY_TIME))


def lies_right(seen: SeatView, play: Play) -> bool:
    """Whether this legal play is of a card that nobody could object to.

    Only under table manners "honour" are there others: in one's own turn, cards that do not match,
    or any card but the one just drawn.
    """
    if seen.decider != seen.seat or seen.phase is Phase.PENALTY or seen.top is None:
        return True
    if seen.phase is Phase.DRAWN and play.slot != seen.drawn:
        return False
    face = next(held.face for held in seen.hand if held.slot == play.slot)
    return face.is_wild or face.colour == seen.colour or face.rank == seen.top.rank


def is_bluff(seen: SeatView, play: Play) -> bool:
    """Whether this would be a Wild Draw Four beside a card of the current colour."""
    faces = {held.slot: held.face for held in seen.hand}
    return faces[play.slot].rank is Rank.WILD_DRAW_FOUR and any(
        face.colour == seen.colour for slot, face in faces.items() if slot != play.slot
    )
