"""In which pace a table is shown: no remote move right behind another, and nothing lags for long.

Pictures wait in a queue in their order. Behind a move of somebody else the next picture waits; once
the oldest has waited too long the display jumps to the newest. Nothing is decided here about what
is shown, and what the player does never waits.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer

from lanuno.app.worker.follower import Seen
from lanuno.rules import events as moves

GAP: Final = 0.4
"""Seconds between two remote moves."""
MOST_LAG: Final = 1.0
"""Seconds by which the display may be behind."""
MOST_AT_ONCE: Final = 200
"""Whoever comes late or comes back gets a whole game as one picture; a deal is far less."""

Show = Callable[[Seen, bool], None]


def is_remote_move(seen: Seen) -> bool:
    """Whether somebody else did something that a person wants to follow."""
    mine = seen.shot.mine
    return any(
        isinstance(event, moves.Played | moves.Drew) and event.seat != mine
        for event in seen.happened
    )


def is_to_be_read(seen: Seen) -> bool:
    """Whether one looks at it for longer: who has drawn which card, to deal."""
    return any(isinstance(event, moves.DealerChosen) for event in seen.happened)


class Pacer(QObject):
    """Shows pictures one after the other."""

    def __init__(
        self,
        show: Show,
        parent: QObject | None = None,
        *,
        gap: float = GAP,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`show` gets a picture, and whether it is a jump. `gap`: 0 shows everything at once."""
        super().__init__(parent)
        self._show = show
        self._gap = gap
        self._clock = clock
        self._waiting: deque[Seen] = deque()
        self._next = 0.0
        self._held = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.look)

    def feed(self, seen: Seen) -> None:
        """The next picture."""
        self._waiting.append(seen)
        self.look()

    @property
    def waiting(self) -> Iterator[Seen]:
        """The pictures that wait, the oldest first."""
        return iter(self._waiting)

    def hold(self) -> None:
        """Show nothing more for now: what is displayed is to be looked at."""
        self._held = True

    def go_on(self) -> None:
        """Show what has come meanwhile; all at once where it has waited for too long."""
        self._held = False
        self.look()

    def clear(self) -> None:
        """Show nothing of what waits."""
        self._waiting.clear()
        self._held = False
        self._timer.stop()
        self._next = 0.0

    def look(self) -> None:
        """Show what may be shown now."""
        while self._waiting and not self._held:
            now = self._clock()
            late = now - self._waiting[0].at > MOST_LAG and len(self._waiting) > 1
            if (self._gap and late) or len(self._waiting[0].happened) > MOST_AT_ONCE:
                self._jump()
                return
            if now < self._next:
                self._timer.start(max(1, int((self._next - now) * 1000) + 1))
                return
            seen = self._waiting.popleft()
            if self._gap and is_to_be_read(seen):
                self._next = now + 2 * self._gap
            elif self._gap and is_remote_move(seen):
                self._next = now + self._gap
            self._show(seen, False)

    def _jump(self) -> None:
        happened = tuple(event for seen in self._waiting for event in seen.happened)
        newest = self._waiting[-1]
        self._waiting.clear()
        self._show(Seen(newest.shot, happened, newest.at), True)
