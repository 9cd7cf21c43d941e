"""The pace at which a table is shown: a gap between remote moves, and a limit for the delay.

Updates wait in a queue. After a remote move the next update waits for the gap. If the oldest update
has waited too long, the display jumps to the newest. Actions of this player never wait.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer

from lanuno.client.events import TableUpdated
from lanuno.rules.engine import events

MOVE_GAP_SECONDS: Final = 0.4
"""Seconds between two remote moves."""
MOST_LAG_SECONDS: Final = 1.0
"""Seconds by which the display may lag."""
MOST_AT_ONCE: Final = 200
"""Events of one update that are shown one by one: a deal has fewer, a resumed game has more."""

ShowUpdate = Callable[[TableUpdated, bool], None]


def is_remote_move(update: TableUpdated) -> bool:
    """Whether the update contains a move of another player."""
    mine = update.snapshot.mine
    return any(
        isinstance(event, events.Played | events.Drew) and event.seat != mine
        for event in update.happened
    )


def takes_longer_to_read(update: TableUpdated) -> bool:
    """Whether people need longer to read the update, as with the cards that choose the dealer."""
    return any(isinstance(event, events.DealerChosen) for event in update.happened)


class Pacer(QObject):
    """Shows updates one after the other."""

    def __init__(
        self,
        show: ShowUpdate,
        parent: QObject | None = None,
        *,
        gap: float = MOVE_GAP_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`show` receives an update, and whether it is a jump. `gap`: 0 means no pause."""
        super().__init__(parent)
        self._show = show
        self._gap = gap
        self._clock = clock
        self._queue: deque[TableUpdated] = deque()
        self._next_at = 0.0
        self._paused = False
        self._resumed_at = 0.0
        """Since when updates that waited for a pause may wait for each other."""
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

    def pause(self) -> None:
        """Show no more updates until `resume`."""
        self._paused = True

    def resume(self, *, in_order: bool = False) -> None:
        """Show the updates that have arrived, in one jump if they have waited too long.

        `in_order`: the pause itself does not count, so that moves are shown one after the other.
        """
        self._paused = False
        if in_order:
            self._resumed_at = self._clock()
        self.show_due()

    def clear(self) -> None:
        """Drop the updates that wait."""
        self._queue.clear()
        self._paused = False
        self._timer.stop()
        self._next_at = 0.0

    def show_due(self) -> None:
        """Show the updates that are due."""
        while self._queue and not self._paused:
            now = self._clock()
            since = max(self._queue[0].at, self._resumed_at)
            late = now - since > MOST_LAG_SECONDS and len(self._queue) > 1
            if (self._gap and late) or len(self._queue[0].happened) > MOST_AT_ONCE:
                self._jump()
                return
            if now < self._next_at:
                self._timer.start(max(1, int((self._next_at - now) * 1000) + 1))
                return
            update = self._queue.popleft()
            if self._gap and takes_longer_to_read(update):
                self._next_at = now + 2 * self._gap
            elif self._gap and is_remote_move(update):
                self._next_at = now + self._gap
            self._show(update, False)

    def _jump(self) -> None:
        happened = tuple(event for update in self._queue for event in update.happened)
        newest = self._queue[-1]
        self._queue.clear()
        self._show(TableUpdated(newest.snapshot, happened, newest.at), True)
