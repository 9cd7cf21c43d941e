"""The starts of the last rounds of a log, from which its end can be read again. Sans I/O.

Reading the whole log of a long match takes seconds, in which the node does not answer and its peers
take it for lost. An election gives up entries of the present round or shortly before it. Reading
these from the start of a round takes a few milliseconds for each step of the round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from msgspec import Struct

from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import LogEvent, RoundOpened

MOST_ROUND_STARTS = 8
"""At most this many starts are kept, to bound the memory if a host lets nothing become final.

An honest host opens a round only after the end of the last one is final."""


class RoundStart(Struct, frozen=True):
    """The state of the log right after the entry that opened a round, or at its beginning."""

    replay: Replay
    """Copy it before use: several readers share it."""
    happened: tuple[LogEvent, ...] = ()
    """The events of that entry."""
    changed: int = 0
    """Number of entries up to the last change of the owners that count; 0 without a change."""


class RoundStarts:
    """The starts from which the end of a log may have to be read again."""

    def __init__(self, genesis: Genesis) -> None:
        """Begin with the start of the log itself."""
        self._first = RoundStart(Replay(genesis))
        self._starts: deque[RoundStart] = deque()

    def note(self, replay: Replay, happened: Sequence[LogEvent], changed: int, fixed: int) -> None:
        """Record an entry that was appended to the log, if it opened a round.

        `fixed`: number of entries that are never given up. Of the rounds opened within them, only
        the last is kept. If the log is cut back before all kept starts, it is read as a whole.
        """
        if not any(isinstance(event, RoundOpened) for event in happened):
            return
        self._starts.append(RoundStart(replay.copy(), tuple(happened), changed))
        while len(self._starts) > 1 and self._starts[1].replay.seq <= fixed:
            self._starts.popleft()
        while len(self._starts) > MOST_ROUND_STARTS:
            self._starts.popleft()

    def last(self, count: int) -> RoundStart:
        """Return the last start at or before this number of entries."""
        fitting = (start for start in reversed(self._starts) if start.replay.seq <= count)
        return next(fitting, self._first)

    def give_up(self, count: int) -> None:
        """Forget the starts after the first `count` entries, where the log now ends."""
        while self._starts and self._starts[-1].replay.seq > count:
            self._starts.pop()

    def behind(self, entries: Sequence[Entry], count: int) -> Replay:
        """Return a new replay of the first `count` entries of the log."""
        replay = self.last(count).replay.copy()
        for entry in entries[replay.seq : count]:
            replay.follow(entry, trusted=True)
        return replay
