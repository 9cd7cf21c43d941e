"""Records that also keep the log in memory, for an audit as soon as the table ends.

Everything is passed on to other records, which write it to disk.
"""

from __future__ import annotations

from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import Transcript
from lanuno.net.runtime.records import Records


class TranscriptRecords:
    """Passes everything on to other records, and keeps the entries."""

    def __init__(self, disk: Records) -> None:
        """`disk`: the records that everything is passed on to."""
        self._disk = disk
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
        self._disk.begin(genesis)
        self._genesis = genesis

    def entry(self, entry: Entry) -> None:
        """The next entry of the log."""
        self._disk.entry(entry)
        self._entries.append(entry)

    def sync(self) -> None:
        """Every entry so far is to survive a loss of power."""
        self._disk.sync()

    def truncate(self, count: int) -> None:
        """Keep the first `count` entries of the log."""
        self._disk.truncate(count)
        del self._entries[count:]

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """A seed; passed on only."""
        self._disk.secret(seat, opened, label, secret)

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Own signed bytes."""
        self._disk.body(seat, counter, signed)

    def stand_in(self, seat: int, seed: bytes) -> None:
        """The key of a stand-in."""
        self._disk.stand_in(seat, seed)

    def vote(self, term: int, data: bytes) -> None:
        """An own vote."""
        self._disk.vote(term, data)

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """A body is about to release a secret."""
        self._disk.release(seat, counter, count, head)

    def other_log(self, count: int, entries: tuple[Entry, ...]) -> None:
        """Entries of another log, to be set aside."""
        self._disk.other_log(count, entries)

    def close(self) -> None:
        """Nothing more will come."""
        self._disk.close()
