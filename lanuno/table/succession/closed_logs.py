"""The end of a closed log, as any node passes it on.

The host may be lost before all nodes have received its close. So a node with a closed log sends the
missing entries to every node from which it gets a `Rejoin`. This proves nothing about the sender.
The receiver reads these entries without changing its own log, and checks them like all others. They
count only if they lead to a close in its own term or a later one, and give up no final entry. A
node that is the host, or is in contact with it, uses the host's log alone.

Holding the close makes nothing final: a node that accepts it in this way acknowledges nothing. A
majority may elect another host whose log continues after the entry before the close. Then that log
ends differently, as it could also for a node that received the close from the host itself.
"""

from __future__ import annotations

from lanuno.table.messages import LogPage
from lanuno.table.outputs import Link
from lanuno.table.succession.claimed_terms import Backoff, LogCheck
from lanuno.table.succession.fork_choice import BetterFork, ForkReader, LocalLog, ReadFrom


class ClosedLogs:
    """The closed logs that other nodes send, and the progress in checking them."""

    def __init__(self) -> None:
        """Start without logs."""
        self._readings: dict[Link, LogCheck] = {}
        self._backoff = Backoff()

    def drop_link(self, link: Link) -> None:
        """A link ended: forget the log received over it."""
        self._readings.pop(link, None)

    def take_page(
        self, link: Link, seat: int, own: LocalLog, page: LogPage, now: float
    ) -> ReadFrom | BetterFork | None:
        """Check the next entries that an owner's node sends, requested or not.

        Returns `BetterFork` if these entries close the log, `ReadFrom` if more are needed, and None
        if they do not count.
        """
        reading = self._readings.get(link)
        if reading is None or reading.asked != page.first:
            # A log that does not count is cheaper to send than to read.
            if not self._backoff.allows(seat, now):
                return None
            reading = self._readings[link] = LogCheck(link, page.first, ForkReader(to_close=True))
        found = reading.take_page(own, page)
        if isinstance(found, ReadFrom):
            return found
        del self._readings[link]
        return None if found is None or found.term < own.replay.term else found
