"""What one seat keeps of one table: the transcript, and the private sidecar beside it.

Writes only, in the order in which it is told; the order itself is the table's law. The transcript
is the journal: there is no second copy of a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lanuno.log.codec import encode
from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis
from lanuno.log.transcript import MAGIC
from lanuno.store.errors import Problem, StoreError
from lanuno.store.journal import Journal
from lanuno.store.paths import Home
from lanuno.store.sidecar import Sidecar


class TableRecords:
    """The open files of one seat at one table. Every method may raise `StoreError`."""

    def __init__(self, home: Home, *, transcript: bool = True, seat: str | None = "") -> None:
        """Keep a table for a profile.

        `transcript`: whether to write one; a host's office does, and its own seats need not.
        `seat`: whose secrets are kept: "" for the person, a short word for a bot, None for nobody.
        """
        self._home = home
        self._transcript = transcript
        self._seat = seat
        self._journal: Journal | None = None
        self._sidecar: Sidecar | None = None
        self._kept = 0
        self._failed = False
        self.path: Path | None = None
        """The transcript, once the table has begun."""

    def begin(self, genesis: Genesis) -> None:
        """Open the files of this table; what another program left torn is moved aside."""
        table = genesis.table_id
        with self._noting_failure():
            if self._seat is not None:
                path = self._home.sidecar(table)
                suffix = f".{self._seat}{path.suffix}" if self._seat else path.suffix
                self._sidecar = Sidecar(path.with_name(path.stem + suffix))
            if self._transcript:
                self._journal = Journal(self._home.transcript(table), MAGIC)
                self.path = self._journal.path
                self._keep(self._journal, encode(genesis))

    def entry(self, entry: Entry) -> None:
        """Append an entry; with the operating system when this returns.

        What is in the file already, from an earlier time at this table, is compared instead: other
        bytes are a `StoreError` (CONTRADICTION).
        """
        if self._journal is not None:
            with self._noting_failure():
                self._keep(self._journal, encode(entry))

    def secret(self, round_number: int, label: str, secret: bytes) -> None:
        """Keep a seed; on the disk itself when this returns."""
        if self._sidecar is not None:
            with self._noting_failure():
                self._sidecar.put_seed(round_number, label, secret)

    def body(self, counter: int, data: bytes) -> None:
        """Keep own signed bytes before they are sent."""
        if self._sidecar is not None:
            with self._noting_failure():
                self._sidecar.put_signed(counter, data)

    def close(self) -> None:
        """Make everything survive a loss of power, and let go.

        After an earlier error it only lets go: that error is the one to be told.
        """
        journal, sidecar = self._journal, self._sidecar
        self._journal = self._sidecar = None
        try:
            if journal is not None and not self._failed:
                journal.sync()
        finally:
            if journal is not None:
                journal.close()
            if sidecar is not None:
                sidecar.close()

    def _keep(self, journal: Journal, data: bytes) -> None:
        """Append a record, or find that an earlier program of this profile has kept it."""
        if self._kept == len(journal):
            journal.append(data)
        elif journal[self._kept] != data:
            raise StoreError(Problem.CONTRADICTION, journal.path, f"record {self._kept}")
        self._kept += 1

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        try:
            yield
        except StoreError:
            self._failed = True
            raise
