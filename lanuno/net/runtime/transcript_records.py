"""Records that also keep the log in memory, for an audit as soon as the table ends.

All calls are passed on to other records, which write to disk.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import Transcript
from lanuno.net.runtime.records import Records


class TranscriptRecords:
    """Passes all calls on to other records, and keeps the entries in memory."""

    def __init__(self, disk: Records, entries: Sequence[Entry] = ()) -> None:
        """`disk` is the records that write to disk. `entries`: those that it holds already."""
        self._disk = disk
        self._genesis: Genesis | None = None
        self._entries = [*entries]

    @property
    def transcript(self) -> Transcript | None:
        """The log so far, or None before it begins."""
        if self._genesis is None:
            return None
        return Transcript(self._genesis, tuple(self._entries), torn=False)

    def begin(self, genesis: Genesis) -> None:
        """Pass on and keep the genesis."""
        self._disk.begin(genesis)
        self._genesis = genesis

    def entry(self, entry: Entry) -> None:
        """Pass on and keep the next log entry."""
        self._disk.entry(entry)
        self._entries.append(entry)

    def sync(self) -> None:
        """Sync the records on disk."""
        self._disk.sync()

    def flush(self) -> None:
        """Flush the records on disk."""
        self._disk.flush()

    def needs_flush(self, seat: int, counter: int) -> bool:
        """Pass on the question about a body."""
        return self._disk.needs_flush(seat, counter)

    def truncate(self, count: int) -> None:
        """Keep only the first `count` entries, on disk and in memory."""
        self._disk.truncate(count)
        del self._entries[count:]

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """Pass on a seed, without keeping it in memory."""
        self._disk.secret(seat, opened, label, secret)

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Pass on a body that this node signed."""
        self._disk.body(seat, counter, signed)

    def stand_in(self, seat: int, seed: bytes) -> None:
        """Pass on the key of a stand-in."""
        self._disk.stand_in(seat, seed)

    def vote(self, term: int, data: bytes) -> None:
        """Pass on a vote of this node."""
        self._disk.vote(term, data)

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """Pass on the release binding of a body."""
        self._disk.release(seat, counter, count, head)

    def other_log(self, count: int, entries: tuple[Entry, ...]) -> None:
        """Pass on another log, to be set aside."""
        self._disk.other_log(count, entries)

    def close(self) -> None:
        """Close the records on disk."""
        self._disk.close()
