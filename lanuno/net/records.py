"""What a driver needs from whoever keeps a table on disk. The files are `lanuno.store`'s."""

from __future__ import annotations

from typing import Protocol

from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis


class Records(Protocol):
    """Keeps what one seat must not lose. Everything is kept when a call returns."""

    def begin(self, genesis: Genesis) -> None:
        """The table has begun."""

    def entry(self, entry: Entry) -> None:
        """The next entry of the log, or the one that broke it."""

    def secret(self, round_number: int, label: str, secret: bytes) -> None:
        """A seed, before its commitment is sent."""

    def body(self, counter: int, data: bytes) -> None:
        """Own signed bytes, before they are sent."""

    def close(self) -> None:
        """Nothing more will come."""
