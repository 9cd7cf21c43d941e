"""The storage interfaces that a `NodeRuntime` needs. `lanuno.store` implements them with files."""

from __future__ import annotations

from typing import Protocol

from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis


class TraceRecords(Protocol):
    """Keeps the traces of the nodes of one session (`lanuno.table.trace`)."""

    def add_node(self) -> int:
        """Return the number of a new node."""

    def write(self, line: bytes) -> bool:
        """Write a line; return whether the traces go on.

        A failure ends the traces, but raises nothing: the game goes on.
        """


class Records(Protocol):
    """Keeps the data of one table that a node must not lose.

    All but `entry` and `body` are called on a thread, because they may wait for the disk. No two
    calls run at the same time, except those of `sync`.
    """

    def begin(self, genesis: Genesis) -> None:
        """Start or resume the records of a table. May be called twice."""

    def entry(self, entry: Entry) -> None:
        """Store the next log entry, or the one that broke the log. It survives a crash."""

    def sync(self) -> None:
        """Make every entry so far survive a power failure."""

    def flush(self) -> None:
        """Make everything else that was stored so far survive a power failure.

        Only afterwards may anything be sent that depends on it.
        """

    def needs_flush(self, seat: int, counter: int) -> bool:
        """Whether a body with this counter may be sent only after a flush."""

    def truncate(self, count: int) -> None:
        """Keep the first `count` entries of the log, and set the rest aside."""

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """Store a seed, before its commitment is sent."""

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Store a body that this node signed, before it is sent."""

    def stand_in(self, seat: int, seed: bytes) -> None:
        """Store the key of a stand-in, before it is used."""

    def vote(self, term: int, data: bytes) -> None:
        """Store a vote of this node, before it is sent."""

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """Store the release binding of a body: the last of `count` entries."""

    def other_log(self, count: int, entries: tuple[Entry, ...]) -> None:
        """Set another log aside: the first `count` entries of this log, followed by `entries`."""

    def close(self) -> None:
        """Close the records; no further call follows."""
