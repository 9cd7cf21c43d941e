"""Records that are also remembered: the log of a table that is to be audited as soon as it ends.

What is kept on disk, and how, is decided by the records behind.
"""

from __future__ import annotations

from lanuno.log.bodies import SignedBody
from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis
from lanuno.log.transcript import Transcript
from lanuno.net.records import Records


class Memory:
    """Records that are also remembered, to be audited at once."""

    def __init__(self, behind: Records) -> None:
        """Pass everything on to the records on disk."""
        self._behind = behind
        self._genesis: Genesis | None = None
        self._entries: list[Entry] = []

    @property
    def transcript(self) -> Transcript | None:
        """The log so far; None before it begins."""
        if self._genesis is None:
            return None
        return Transcript(self._genesis, tuple(self._entries), torn=False)

    def begin(self, genesis: Genesis) -> None:
        """The table has begun."""
        self._behind.begin(genesis)
        self._genesis = genesis

    def entry(self, entry: Entry) -> None:
        """The next entry of the log."""
        self._behind.entry(entry)
        self._entries.append(entry)

    def sync(self) -> None:
        """Every entry so far is to survive a loss of power."""
        self._behind.sync()

    def cut(self, count: int) -> None:
        """The log goes on behind its first `count` entries."""
        self._behind.cut(count)
        del self._entries[count:]

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """A seed; not remembered here."""
        self._behind.secret(seat, opened, label, secret)

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Own signed bytes."""
        self._behind.body(seat, counter, signed)

    def bot(self, seat: int, seed: bytes) -> None:
        """The key of a bot that fills a chair."""
        self._behind.bot(seat, seed)

    def vote(self, term: int, data: bytes) -> None:
        """An own vote."""
        self._behind.vote(term, data)

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """A body is about to release a secret."""
        self._behind.release(seat, counter, count, head)

    def other_end(self, count: int, entries: tuple[Entry, ...]) -> None:
        """Entries that others have in the place of ours."""
        self._behind.other_end(count, entries)

    def close(self) -> None:
        """Nothing more will come."""
        self._behind.close()
