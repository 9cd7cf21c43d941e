"""Lets a bot play a seat: at most one act for each decision, and one word besides.

Sans I/O: this module reads a seat session and returns the bot's next act. The node runtime decides
when to ask and how fast a bot may play.
"""

from __future__ import annotations

from collections.abc import Callable

from lanuno.bots.player import Player
from lanuno.rules.engine.actions import ANY_TIME, Action
from lanuno.rules.view import SeatView
from lanuno.table.errors import TableError
from lanuno.table.replica.seat import SeatSession

__all__ = ["Autoplay", "Player"]


class Autoplay:
    """A bot that plays one seat session."""

    def __init__(self, session: SeatSession, player: Player) -> None:
        """`player` chooses the acts of the seat of `session`."""
        self.session = session
        """The session that this bot plays."""
        self._player = player
        self._done: set[tuple[int, int, bool]] = set()

    def retry(self) -> None:
        """Allow the same decisions again, after the last action was refused."""
        self._done.clear()

    def next_action(self) -> Action | None:
        """Return the bot's next action; None if it has none or has acted on the decision."""
        view = self.session.view()
        if view is None or view.seat is None:
            return None
        action = self._player.choose(view)
        if action is None or (self._key(view, action) in self._done):
            return None
        out_of_turn = isinstance(action, ANY_TIME) or view.decider != view.seat
        return action if out_of_turn or self.session.to_move else None

    def act(self, action: Action, perform: Callable[[Action], object]) -> bool:
        """Let `perform` carry out an action that `next_action` returned; return whether it did.

        `perform` raises `TableError` if the rules refuse the action.
        """
        view = self.session.view()
        if view is None:
            return False
        key = self._key(view, action)
        # First, because the host may refuse the action while it is carried out.
        self._done = {done for done in self._done if done[:2] == key[:2]} | {key}
        try:
            perform(action)
        except TableError:
            self._done.discard(key)
            return False
        return True

    @staticmethod
    def _key(view: SeatView, action: Action) -> tuple[int, int, bool]:
        return (view.number, view.decision, isinstance(action, ANY_TIME))
