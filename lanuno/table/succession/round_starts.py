"""The starts of the last rounds of a log, from which its end can be read again. Sans I/O.

The log of a long match takes seconds to read, and a node that reads for seconds does not answer:
the others take it for lost. An election gives up entries of the present round or shortly before it,
so reading from the start of a round takes a few milliseconds for each of its steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import LogEvent, RoundOpened

MOST_STARTS = 8
"""Starts kept at most, so that a host that lets nothing become final does not fill the memory.

An honest host opens no round before the end of the last one is final."""


@dataclass(frozen=True, slots=True)
class RoundStart:
    """The log right behind the entry that opened a round, or at its beginning."""

    replay: Replay
    """To be copied before use: it serves several readers."""
    happened: tuple[LogEvent, ...] = ()
    """The events of that entry."""
    changed: int = 0
    """Number of entries up to the last change of the owners who count; 0 without one."""


class RoundStarts:
    """The starts from which the end of a log may have to be read again."""

    def __init__(self, genesis: Genesis) -> None:
        """Begin with the beginning of the log."""
        self._first = RoundStart(Replay(genesis))
        self._starts: deque[RoundStart] = deque()

    def note(self, replay: Replay, happened: Sequence[LogEvent], changed: int, fixed: int) -> None:
        """The log has gone on by an entry.

        `fixed`: number of entries that are never given up. Of the rounds that opened in them only
        the last one is kept. If an end goes back before all kept starts, the whole log is read.
        """
        if not any(isinstance(event, RoundOpened) for event in happened):
            return
        self._starts.append(RoundStart(replay.copy(), tuple(happened), changed))
        while len(self._starts) > 1 and self._starts[1].replay.seq <= fixed:
            self._starts.popleft()
        while len(self._starts) > MOST_STARTS:
            self._starts.popleft()

    def last(self, count: int) -> RoundStart:
        """The last start at or before this number of entries."""
        fitting = (start for start in reversed(self._starts) if start.replay.seq <= count)
        return next(fitting, self._first)

    def give_up(self, count: int) -> None:
        """The log ends behind `count` entries now."""
        while self._starts and self._starts[-1].replay.seq > count:
            self._starts.pop()

    def behind(self, entries: Sequence[Entry], count: int) -> Replay:
        """A new replay of the first `count` entries of the log."""
        replay = self.last(count).replay.copy()
        for entry in entries[replay.seq : count]:
            replay.follow(entry, trusted=True)
        return replay
