"""Writing the files of one node at one table: the transcript, and the private sidecar beside it.

`lanuno.table` decides the order of writing. The transcript is the journal itself: no second copy of
a game exists. The abandoned end of a log is kept in a separate file and never deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import MAGIC, record
from lanuno.store.durable import unused_name, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.journal import Journal
from lanuno.store.paths import Home
from lanuno.store.sidecar import Sidecar


class TableRecords:
    """The open files of one node at one table.

    The operating system has what a method stores when it returns. The sidecar's part is on the disk
    after `flush`, and the log after `sync`.

    Every method may raise `StoreError`. After the first error nothing more is written: the failed
    write may be incomplete, and a node that continued could send what is not on the disk.
    """

    def __init__(
        self,
        home: Home,
        *,
        private: bool = True,
        bots: Sequence[bytes] = (),
        resumed: bool = False,
    ) -> None:
        """Store a table for a profile.

        `private` tells whether there are secrets to store; a spectator has none. `bots` are the
        private keys of this node's bots, read when the table begins. `resumed` continues files that
        were read before.
        """
        self._home = home
        self._private = private
        self._bots = bots
        self._resumed = resumed
        self._journal: Journal | None = None
        self._sidecar: Sidecar | None = None
        self._position = 0
        self._failure: StoreError | None = None
        """The first failure; later errors would only report that there was one."""
        self._writing = Lock()
        """Held while the journal is used, because `sync` is called from another thread."""
        self.path: Path | None = None
        """The path of the transcript, once the table has begun."""

    def begin(self, genesis: Genesis) -> None:
        """Open the files of this table, once. A torn tail is moved aside."""
        if self._journal is not None:
            return
        table = genesis.table_id
        with self._noting_failure():
            if self._private:
                self._sidecar = Sidecar(self._home.sidecar(table))
                for number, seed in enumerate(self._bots):
                    self._sidecar.put_bot(number, seed)
            self._journal = Journal(self._home.transcript(table), MAGIC)
            self.path = self._journal.path
            self._append_or_compare(self._journal, encode(genesis))
            if self._resumed:
                self._position = len(self._journal)

    def entry(self, entry: Entry) -> None:
        """Append an entry; the operating system has it when this returns.

        An entry that the file already holds, from an earlier run at this table, is compared
        instead: different bytes raise `StoreError` CONTRADICTION, except for a spectator.
        """
        if self._journal is not None:
            with self._noting_failure():
                self._append_or_compare(self._journal, encode(entry))

    def sync(self) -> None:
        """Make every entry so far survive a power failure. May be called from another thread."""
        with self._writing:
            if self._journal is not None:
                with self._noting_failure():
                    self._journal.sync()

    def flush(self) -> None:
        """Make all secrets, and the used counters, survive a power failure."""
        self._put(Sidecar.flush)

    def needs_flush(self, seat: int, counter: int) -> bool:
        """Whether a body with this counter may be sent only after a flush."""
        return self._sidecar is not None and counter >= self._sidecar.next_counter(seat)

    def truncate(self, count: int) -> None:
        """Keep only the first `count` entries of the log, after copying the log to another file."""
        journal = self._journal
        if journal is None or count + 1 >= len(journal):
            return
        with self._noting_failure(), self._writing:
            whole = journal.read_all()
            write_private(unused_name(journal.path, "aside"), whole, replace=False)
            journal.truncate(count + 1)
            self._position = len(journal)

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """Store a seed."""
        self._put(lambda sidecar: sidecar.put_seed(seat, opened, label, secret))

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Store this node's signed bytes."""
        self._put(lambda sidecar: sidecar.put_signed(seat, counter, encode(signed)))

    def stand_in(self, seat: int, seed: bytes) -> None:
        """Store the key of a stand-in."""
        self._put(lambda sidecar: sidecar.put_stand_in(seat, seed))

    def vote(self, term: int, data: bytes) -> None:
        """Store this owner's vote."""
        self._put(lambda sidecar: sidecar.put_vote(term, data))

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """Record the entry for which a body releases a secret."""
        self._put(lambda sidecar: sidecar.put_release(seat, counter, count, head))

    def other_log(self, count: int, entries: tuple[Entry, ...]) -> None:
        """Write another transcript: the first `count` entries of this one, then `entries`."""
        journal = self._journal
        if journal is None:
            return
        with self._noting_failure(), self._writing:
            kept = [journal[number] for number in range(min(count + 1, len(journal)))]
            records = [*kept, *(encode(entry) for entry in entries)]
            whole = MAGIC + b"".join(map(record, records))
            write_private(unused_name(journal.path, "aside"), whole, replace=False)

    def close(self) -> None:
        """Sync the transcript to the disk, and close the files.

        After an earlier error, only close them: the first error is the one to report.
        """
        with self._writing:
            journal, sidecar = self._journal, self._sidecar
            self._journal = self._sidecar = None
            try:
                if journal is not None and self._failure is None:
                    journal.sync()
            finally:
                if journal is not None:
                    journal.close()
                if sidecar is not None:
                    sidecar.close()

    def _put(self, put: Callable[[Sidecar], None]) -> None:
        """Write to the sidecar, if there is one."""
        if self._sidecar is not None:
            with self._noting_failure():
                put(self._sidecar)

    def _append_or_compare(self, journal: Journal, data: bytes) -> None:
        """Append a record, or check that an earlier program of this profile stored the same one.

        A spectator has signed nothing, so it goes on with another record, in another file.
        """
        if self._position < len(journal) and journal[self._position] != data:
            if self._private or self._position == 0:
                where = f"record {self._position}"
                raise StoreError(FileProblem.CONTRADICTION, journal.path, where)
            journal = self._begin_aside(journal)
        if self._position == len(journal):
            journal.append(data)
        self._position += 1

    def _begin_aside(self, journal: Journal) -> Journal:
        """Go on in a new file, which begins with what was compared. The earlier one stays."""
        kept = [journal[number] for number in range(self._position)]
        with self._writing:
            aside = Journal(unused_name(journal.path, "aside"), MAGIC)
            self._journal, self.path = aside, aside.path
            journal.close()
        for each in kept:
            aside.append(each)
        return aside

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        """Remember the first failure: nothing more is written, and every call raises it again."""
        self._check_failure()
        try:
            yield
        except StoreError as error:
            self._check_failure()  # another thread may have failed first
            self._failure = error
            raise

    def _check_failure(self) -> None:
        if self._failure is not None:
            raise StoreError(self._failure.problem, self._failure.path, self._failure.detail)
