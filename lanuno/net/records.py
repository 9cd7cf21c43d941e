"""What a driver needs from whoever keeps a table on disk. The files are `lanuno.store`'s."""

from __future__ import annotations

from typing import Protocol

from lanuno.log.bodies import SignedBody
from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis


class Records(Protocol):
    """Keeps what one computer must not lose of one table."""

    def begin(self, genesis: Genesis) -> None:
        """The table has begun, or goes on."""

    def entry(self, entry: Entry) -> None:
        """The next entry of the log, or the one that broke it; survives this program."""

    def sync(self) -> None:
        """Every entry so far survives a loss of power when this returns; called on a thread."""

    def cut(self, count: int) -> None:
        """The log goes on behind its first `count` entries; what followed is set aside."""

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """A seed, before its commitment is sent."""

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Own signed bytes, before they are sent."""

    def bot(self, seat: int, seed: bytes) -> None:
        """The key of a bot that fills a chair, before it is used."""

    def vote(self, term: int, data: bytes) -> None:
        """An own vote, before it is sent."""

    def close(self) -> None:
        """Nothing more will come."""
