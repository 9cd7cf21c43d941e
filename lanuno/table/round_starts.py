"""Where the last rounds of a log began: an end of it is read again from there. Sans I/O.

The log of a long match takes seconds to read, and a computer that reads for seconds answers nobody:
the others take it for lost. What is given up in an election lies in the present round or close
before it, so that reading from the start of a round takes a few milliseconds for each of its steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lanuno.log.entries import Entry
from lanuno.log.events import Event, RoundOpened
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay

MOST_STARTS = 8
"""Starts remembered at most, so that a host that lets nothing become firm fills no memory.

An honest one opens no round before the end of the last one is firm."""


@dataclass(frozen=True, slots=True)
class RoundStart:
    """The log right behind the entry that opened a round, or as it begins."""

    replay: Replay
    """To be copied: the others that begin here do so too."""
    happened: tuple[Event, ...] = ()
    """What that entry said."""
    changed: int = 0
    """Number of entries up to the last change of the owners who count; 0 without one."""


class RoundStarts:
    """The starts from which any end of a log may have to be read again."""

    def __init__(self, genesis: Genesis, known: Iterable[RoundStart] = ()) -> None:
        """Of a log with this genesis, of which these are known."""
        self._first = RoundStart(Replay(genesis))
        self._starts = deque(known)

    def note(self, replay: Replay, happened: Sequence[Event], changed: int, fixed: int) -> None:
        """The log has gone on by an entry.

        `fixed`: number of entries that are never given up. Of the rounds that opened in them only
        the last one is remembered. From before all that are remembered the whole log is read again.
        """
        if not any(isinstance(event, RoundOpened) for event in happened):
            return
        self._starts.append(RoundStart(replay.copy(), tuple(happened), changed))
        while len(self._starts) > 1 and self._starts[1].replay.seq <= fixed:
            self._starts.popleft()
        while len(self._starts) > MOST_STARTS:
            self._starts.popleft()

    def last(self, count: int) -> RoundStart:
        """The last one at or before this number of entries."""
        fitting = (start for start in reversed(self._starts) if start.replay.seq <= count)
        return next(fitting, self._first)

    def give_up(self, count: int) -> None:
        """The log ends behind `count` entries now."""
        while self._starts and self._starts[-1].replay.seq > count:
            self._starts.pop()

    def behind(self, entries: Sequence[Entry], count: int) -> Replay:
        """A view of its own of the log behind the first `count` of its entries."""
        replay = self.last(count).replay.copy()
        for entry in entries[replay.seq : count]:
            replay.follow(entry, trusted=True)
        return replay

    def copy(self) -> RoundStarts:
        """The same, for another who follows the same log."""
        return RoundStarts(self._first.replay.genesis, self._starts)
