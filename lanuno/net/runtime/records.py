"""What a `NodeRuntime` needs from the disk. The files are written by `lanuno.store`."""

from __future__ import annotations

from typing import Protocol

from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis


class Records(Protocol):
    """Keeps what one node must not lose of one table."""

    def begin(self, genesis: Genesis) -> None:
        """The table has begun, or goes on; may be called twice."""

    def entry(self, entry: Entry) -> None:
        """The next entry of the log, or the one that broke it; survives this program."""

    def sync(self) -> None:
        """Every entry so far survives a loss of power when this returns; called on a thread."""

    def truncate(self, count: int) -> None:
        """Keep the first `count` entries of the log; the rest is set aside."""

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """A seed, before its commitment is sent."""

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Own signed bytes, before they are sent."""

    def stand_in(self, seat: int, seed: bytes) -> None:
        """The key of a stand-in, before it is used."""

    def vote(self, term: int, data: bytes) -> None:
        """An own vote, before it is sent."""

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """A body is about to release a secret, bound to the last of `count` entries."""

    def other_log(self, count: int, entries: tuple[Entry, ...]) -> None:
        """Set aside another log: the first `count` entries of this one, then these."""

    def close(self) -> None:
        """Nothing more will come."""
