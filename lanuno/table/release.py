"""What a node has released, and the log to which that binds it.

A seat publishes keys, shares and seeds because an entry of the log asks for them. In a log without
that entry the same secrets would be used for something else, so that a peer that has seen them
could read cards. Therefore the entry is recorded on disk before the secret leaves, and the node
never goes on in a log that lacks it. `lanuno.log.replay.due_steps` defines which steps
release a secret.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.log.format.entries import Entry
from lanuno.log.replay.replay import Replay
from lanuno.table.outputs import StoreRelease


@dataclass(frozen=True, slots=True)
class Released:
    """The last entry for which this node has released a secret."""

    count: int
    """Number of entries up to it, itself included."""
    head: bytes
    """Its hash."""


class ReleaseBinding:
    """What one node has released at one table, for all seats that are played on it."""

    def __init__(self, released: Released | None = None) -> None:
        """`released`: as an earlier program recorded it; None if nothing was released so far."""
        self._released = released

    @property
    def count(self) -> int:
        """Number of entries that must stay as they are; 0 if nothing was released."""
        return 0 if self._released is None else self._released.count

    def release(self, replay: Replay, seat: int, counter: int, count: int) -> list[StoreRelease]:
        """A seat is about to release a secret for the last of `count` entries.

        Returns what to store first; nothing if a later entry of the same log is recorded.
        """
        if count <= self.count:
            return []
        self._released = Released(count, replay.hashes[count - 1])
        return [StoreRelease(seat, counter, count, self._released.head)]

    def holds(self, replay: Replay) -> bool:
        """Whether a log has the entry for which a secret was released."""
        held = self._released
        return held is None or replay.hashes[held.count - 1 : held.count] == [held.head]

    def denied_by(self, replay: Replay) -> bool:
        """Whether a log has another entry there. A shorter log may still be completed."""
        return replay.seq >= self.count and not self.holds(replay)

    def forbids(self, replay: Replay, entry: Entry) -> bool:
        """Whether a log with this as its next entry would have another entry there."""
        held = self._released
        return held is not None and replay.seq == held.count - 1 and entry.hash != held.head
