"""One SQLite file used only as an index: opened, checked, shared, and set aside when damaged.

`history.py` defines its tables. This module holds the pragmas, the locks and the translation of
SQLite's errors. The file may hold only data that can be rebuilt.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import RLock
from time import monotonic, sleep

from lanuno.store.durable import (
    make_private_folder,
    refusals,
    sync_folder,
    unused_name,
)
from lanuno.store.errors import FileProblem, StoreError
from lanuno.system import files

BUSY_SECONDS = 5.0
"""How long to wait while another program writes."""

_DAMAGED = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_ERROR,  # a missing table or column
        sqlite3.SQLITE_SCHEMA,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_FORMAT,
    }
)
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_BESIDE = ("-wal", "-shm", "-journal")
"""The suffixes of files that SQLite keeps next to a database."""


class Database:
    """An open index. Several threads may use it, one at a time."""

    def __init__(self, path: Path, schema: Sequence[str], version: int) -> None:
        """Open the file, or create it. A damaged file or one of another version is set aside.

        Raise `StoreError`: NOT_WRITABLE, NOT_READABLE, DISK_FULL, READ_ONLY, IN_USE.
        """
        self.path = path
        self.set_aside_reason: StoreError | None = None
        """Why an earlier file was set aside, to show to the user: DAMAGED, or FOREIGN if a newer
        version of this program made it."""
        self.set_aside_path: Path | None = None
        """The present path of the file that was set aside."""
        self.empty = False
        """Whether the tables were just created, so that the rows are still missing."""
        self._schema = tuple(schema)
        self._version = version
        self._lock = RLock()
        self._link: sqlite3.Connection | None = None
        self._file = (0, 0)
        """The device and inode of the file that was opened last. It tells a file that another
        program put in its place from the one that this program used."""
        make_private_folder(path.parent)
        with self._locked():
            try:
                self._link = self._open()
            except StoreError as error:
                if error.problem not in (FileProblem.DAMAGED, FileProblem.FOREIGN):
                    raise
                self._set_aside(error)
                self._link = self._open()

    def replace(self, error: StoreError) -> None:
        """Set the file aside for this reason and begin a new one, unless another program did."""
        with self._lock, self._locked():
            self._close()
            opened = self._file
            try:
                self._link = self._open()
            except StoreError as found:
                if found.problem not in (FileProblem.DAMAGED, FileProblem.FOREIGN):
                    raise
            if self._link is None or (self._file == opened and not self.empty):
                self._close()
                self._set_aside(error)
                self._link = self._open()

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read one consistent state. Raise `StoreError` DAMAGED if the file has to be replaced."""
        with self._lock, self._translated_errors(), self._transaction("BEGIN") as link:
            yield link

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write atomically. Raise `StoreError` IN_USE if another program holds the lock."""
        with self._lock, self._translated_errors(), self._transaction("BEGIN IMMEDIATE") as link:
            yield link

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._link is not None:
            link, self._link = self._link, None
            with contextlib.suppress(sqlite3.Error):
                link.close()

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        if self._link is None:
            raise StoreError(FileProblem.CLOSED, self.path)
        self._link.execute(begin)
        try:
            yield self._link
            self._link.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._link.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other programs from opening or replacing the file in this context."""
        lock = self.path.with_name(self.path.name + ".lock")
        with refusals(lock, FileProblem.NOT_WRITABLE):
            file = files.open_to_change(lock, follow=True)
        try:
            until = monotonic() + BUSY_SECONDS
            while not files.lock(file):
                if monotonic() > until:
                    raise StoreError(FileProblem.IN_USE, self.path)
                sleep(0.02)
            yield
        finally:
            os.close(file)

    def _open(self) -> sqlite3.Connection:
        with refusals(self.path, FileProblem.NOT_WRITABLE):
            file = files.open_to_change(self.path)
            try:
                status = os.fstat(file)
            finally:
                os.close(file)
        self._file = (status.st_dev, status.st_ino)
        with self._translated_errors():
            link = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            link.row_factory = sqlite3.Row
            try:
                self._prepare(link)
            except BaseException:
                link.close()
                raise
        return link

    def _prepare(self, link: sqlite3.Connection) -> None:
        for pragma in (
            "trusted_schema=OFF",
            "cell_size_check=ON",
            "foreign_keys=ON",
            "secure_delete=ON",
            "journal_mode=WAL",
            "synchronous=NORMAL",
        ):
            link.execute(f"PRAGMA {pragma}")
        (version,) = link.execute("PRAGMA user_version").fetchone()
        found = {row[0] for row in link.execute("SELECT sql FROM sqlite_schema WHERE sql NOT NULL")}
        if version > self._version:
            raise StoreError(FileProblem.FOREIGN, self.path, f"version {version}")
        self.empty = version < self._version
        if not self.empty:
            (state,) = link.execute("PRAGMA quick_check(1)").fetchone()
            if state != "ok" or found != set(self._schema):
                raise StoreError(FileProblem.DAMAGED, self.path, str(state))
            return
        if found and version == 0:
            raise StoreError(FileProblem.FOREIGN, self.path, "other tables")
        link.execute("BEGIN IMMEDIATE")
        for name, kind in link.execute("SELECT name, type FROM sqlite_schema").fetchall():
            if kind in ("table", "view"):  # of an older version: they are rebuilt
                quoted = name.replace('"', '""')
                link.execute(f'DROP {kind} IF EXISTS "{quoted}"')
        for statement in self._schema:
            link.execute(statement)
        link.execute(f"PRAGMA user_version={self._version}")
        link.execute("COMMIT")

    def _set_aside(self, error: StoreError) -> None:
        """Move the file, and the files that SQLite keeps beside it, to unused names."""
        kept = unused_name(self.path, "aside")
        with refusals(self.path, FileProblem.NOT_WRITABLE):
            for beside in _BESIDE:
                with contextlib.suppress(FileNotFoundError):
                    files.replace(
                        self.path.with_name(self.path.name + beside),
                        kept.with_name(kept.name + beside),
                    )
            with contextlib.suppress(FileNotFoundError):
                files.replace(self.path, kept)
        sync_folder(self.path.parent)
        self.set_aside_reason, self.set_aside_path = error, kept

    @contextlib.contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Translate errors of SQLite into `StoreError`."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.ProgrammingError):
                raise  # a bug in this program
            raise StoreError(self._problem(error), self.path, str(error)) from error

    def _problem(self, error: sqlite3.DatabaseError) -> FileProblem:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _BUSY:
            return FileProblem.IN_USE
        if code in _DAMAGED:
            return FileProblem.DAMAGED
        if code == sqlite3.SQLITE_FULL:
            return FileProblem.DISK_FULL
        with contextlib.suppress(OSError):
            if files.is_read_only(self.path.parent):
                return FileProblem.READ_ONLY
            if files.free_bytes(self.path.parent) == 0:
                return FileProblem.DISK_FULL
        return FileProblem.NOT_WRITABLE
