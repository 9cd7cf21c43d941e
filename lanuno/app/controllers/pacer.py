"""The pace at which a table is shown: a gap before remote moves, and a limit for the delay.

Updates wait in a queue. A remote move waits for the gap after the move before it. If the oldest
update has waited too long, the display jumps to the newest. Actions of this player never wait: all
that happened before them is shown with them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer

from lanuno.client.events import TableUpdated
from lanuno.log.round.events import ActionTaken
from lanuno.rules.engine import events

MOVE_GAP_SECONDS: Final = 0.4
"""Seconds between a move and the next remote one."""
MOST_LAG_SECONDS: Final = 1.0
"""Seconds by which the display may lag."""
MOST_AT_ONCE: Final = 200
"""Events of one update that are shown one by one: a deal has fewer, a resumed game has more."""

ShowUpdate = Callable[[TableUpdated, bool], None]


def remote_moves(update: TableUpdated) -> int:
    """Return the number of moves of other players in the update."""
    mine = update.snapshot.mine
    return sum(
        isinstance(event, events.Played | events.Drew) and event.seat != mine
        for event in update.happened
    )


def is_own_action(update: TableUpdated) -> bool:
    """Whether the update contains an action of this player."""
    mine = update.snapshot.mine
    return any(isinstance(event, ActionTaken) and event.seat == mine for event in update.happened)


class Pacer(QObject):
    """Shows updates one after the other."""

    def __init__(
        self,
        show: ShowUpdate,
        parent: QObject | None = None,
        *,
        gap: float = MOVE_GAP_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        holds: Callable[[TableUpdated], bool] = lambda _update: False,
    ) -> None:
        """`show` receives an update, and whether it is a jump. `gap`: 0 means no pause.

        `holds`: whether an update, and all that follow it, must not be shown yet. Call `show_due`
        when that may have changed.
        """
        super().__init__(parent)
        self._show = show
        self._gap = gap
        self._clock = clock
        self.holds = holds
        self._queue: deque[TableUpdated] = deque()
        self._next_at = 0.0
        self._resumed_at = 0.0
        """Since when updates that were held may wait for each other."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.show_due)

    def enqueue(self, update: TableUpdated) -> None:
        """Add the next update."""
        self._queue.append(update)
        self.show_due()

    @property
    def queued(self) -> Iterator[TableUpdated]:
        """The updates that wait, the oldest first."""
        return iter(self._queue)

    def go_on(self) -> None:
        """Show what is due, now that nothing holds it: one move after the other, not in a jump."""
        self._resumed_at = self._clock()
        self.show_due()

    def clear(self) -> None:
        """Drop the updates that wait."""
        self._queue.clear()
        self._timer.stop()
        self._next_at = 0.0

    def show_due(self) -> None:
        """Show the updates that are due, in one jump if they have waited too long."""
        while self._queue and not self.holds(self._queue[0]):
            now = self._clock()
            since = max(self._queue[0].at, self._resumed_at)
            late = now - since > MOST_LAG_SECONDS and len(self._queue) > 1
            if (self._gap and late) or len(self._queue[0].happened) > MOST_AT_ONCE:
                self._jump()
                continue
            moves = remote_moves(self._queue[0])
            if moves and now < self._next_at and not any(map(is_own_action, self._queue)):
                self._timer.start(max(1, int((self._next_at - now) * 1000) + 1))
                return
            update = self._queue.popleft()
            if moves or is_own_action(update):
                self._next_at = now + max(1, moves) * self._gap
            self._show(update, False)

    def _jump(self) -> None:
        """Show the newest update that is not held, with all that happened until then."""
        due: list[TableUpdated] = []
        while self._queue and not self.holds(self._queue[0]):
            due.append(self._queue.popleft())
        happened = tuple(event for update in due for event in update.happened)
        self._next_at = self._clock() + self._gap
        self._show(TableUpdated(due[-1].snapshot, happened, due[-1].at), True)
