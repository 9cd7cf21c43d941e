"""Lets a player that decides by itself play a seat: once for each decision, and at any time.

Sans I/O: looks at a session and returns what it then wants done. When it is asked, and how fast it
may play, is the driver's business.
"""

from __future__ import annotations

from lanuno.bots.player import Player
from lanuno.rules.actions import ANY_TIME, Action
from lanuno.rules.view import SeatView
from lanuno.table.errors import TableError
from lanuno.table.outputs import Output
from lanuno.table.session import Session

__all__ = ["Autoplay", "Player"]


class Autoplay:
    """One player at one session's seat."""

    def __init__(self, session: Session, player: Player) -> None:
        """Play this seat with this player."""
        self._session = session
        self._player = player
        self._done: set[tuple[int, int, bool]] = set()

    def refused(self) -> None:
        """The last action was not taken: the same decision is still open."""
        self._done.clear()

    def wants(self) -> Action | None:
        """What the player wants to do now, if it has not done so for this decision yet."""
        seen = self._session.view()
        if seen is None or seen.seat is None:
            return None
        action = self._player.choose(seen)
        if action is None or (self._key(seen, action) in self._done):
            return None
        out_of_turn = isinstance(action, ANY_TIME) or seen.decider != seen.seat
        return action if out_of_turn or self._session.to_move else None

    def do(self, action: Action) -> list[Output]:
        """Do what the player has wanted just now."""
        seen = self._session.view()
        if seen is None:
            return []
        key = self._key(seen, action)
        try:
            todo = self._session.act(action)
        except TableError:
            return []
        self._done = {done for done in self._done if done[:2] == key[:2]} | {key}
        return todo

    @staticmethod
    def _key(seen: SeatView, action: Action) -> tuple[int, int, bool]:
        return (seen.number, seen.decision, isinstance(action, ANY_TIME))
