"""The end of a closed log, as any node hands it on: the host may be gone before all have the close.

A node with a closed log sends the missing entries to every node that asks to rejoin. That proves
nothing about the sender, so the receiver reads them beside its own log, checked as every entry is.
They count only if they lead to the close, in the own term or a later one, and give up nothing that
is final. A node that is the host, or in contact with it, gets the end there.

Holding the close makes nothing final: a node that takes it this way acknowledges nothing. A
majority may elect another host behind the entry before. Then that host's log ends differently, as
it would for a node that got the close from the host itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lanuno.table.messages import LogPage
from lanuno.table.outputs import Peer
from lanuno.table.succession.claimed_terms import MOST_PAGES, Backoff
from lanuno.table.succession.fork_choice import BetterFork, ForkReader, LocalLog, ReadFrom


@dataclass(slots=True)
class _Reading:
    """One log that is read up to its close."""

    asked: int
    """Number of the first entry of the page that was requested last."""
    reader: ForkReader = field(default_factory=lambda: ForkReader(to_close=True))
    pages: int = 0


class ClosedLogs:
    """The closed logs that other nodes send, and how far they were checked."""

    def __init__(self) -> None:
        """No node has sent one."""
        self._readings: dict[Peer, _Reading] = {}
        self._backoff = Backoff()

    def drop_link(self, link: Peer) -> None:
        """A link ended: forget the log that came over it."""
        self._readings.pop(link, None)

    def take_page(
        self, link: Peer, seat: int, own: LocalLog, page: LogPage, now: float
    ) -> ReadFrom | BetterFork | None:
        """Check the next entries that an owner's node sends, requested or not.

        `BetterFork`: with these entries the log is closed. `ReadFrom`: request more. None: they do
        not count.
        """
        reading = self._readings.get(link)
        if reading is None or reading.asked != page.first:
            # Sending a log that does not count costs less than reading it.
            if not self._backoff.allows(seat, now):
                return None
            reading = self._readings[link] = _Reading(page.first)
        found = reading.reader.compare(own, page.first, page.entries)
        reading.pages += 1
        if isinstance(found, ReadFrom) and reading.pages < MOST_PAGES:
            reading.asked = found.first
            return found
        del self._readings[link]
        return found if isinstance(found, BetterFork) and found.term >= own.replay.term else None
