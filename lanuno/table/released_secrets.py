"""The secrets that a node has released, and the log to which they bind it.

A seat publishes keys, shares and seeds because an entry of the log asks for them. In a log without
that entry it would use the same secrets for something else, and a peer that has seen them could
read cards. So the node records the entry on disk before it sends the secret, and never follows a
log that lacks this entry. `lanuno.log.replay.due_steps` defines which steps release a secret.
"""

from __future__ import annotations

from msgspec import Struct

from lanuno.log.format.entries import Entry
from lanuno.log.replay.replay import Replay
from lanuno.table.outputs import StoreRelease


class Released(Struct, frozen=True):
    """The last entry for which this node has released a secret."""

    count: int
    """Number of entries up to and including it."""
    head: bytes
    """Its hash."""


class ReleaseBinding:
    """The releases of one node at one table, for all seats that are played on it."""

    def __init__(self, released: Released | None = None) -> None:
        """`released`: the last release recorded on disk; None if the node has released nothing."""
        self._released = released

    @property
    def count(self) -> int:
        """Number of entries that the node may not give up; 0 if it has released nothing."""
        return 0 if self._released is None else self._released.count

    def release(self, replay: Replay, seat: int, counter: int, count: int) -> list[StoreRelease]:
        """Record that a seat is about to release a secret for the last of `count` entries.

        Returns what to store first, which is nothing if the same log has a recorded later entry.
        """
        if count <= self.count:
            return []
        self._released = Released(count, replay.hashes[count - 1])
        return [StoreRelease(seat, counter, count, self._released.head)]

    def holds(self, replay: Replay) -> bool:
        """Whether a log contains the entry of the last release."""
        held = self._released
        return held is None or replay.hashes[held.count - 1 : held.count] == [held.head]

    def denied_by(self, replay: Replay) -> bool:
        """Whether a log has a different entry in that place. A shorter log may still get it."""
        return replay.seq >= self.count and not self.holds(replay)

    def forbids(self, replay: Replay, entry: Entry) -> bool:
        """Whether appending this entry would put a different entry in that place."""
        held = self._released
        return held is not None and replay.seq == held.count - 1 and entry.hash != held.head
