"""An append-only file of records that survives being cut off at any byte.

Layout: the caller's magic header, then for each record its length (u32, big-endian) and its bytes.
The caller knows what the records mean. Frames carry no checksum, because the records of a table are
chained by hashes and signed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from msgspec import Struct

from lanuno.store.durable import (
    check_private,
    refusals,
    sync_folder,
    unused_name,
    write_private,
)
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import hold
from lanuno.system import files

LENGTH_BYTES = 4
LARGEST_RECORD = 64 * 1024
LARGEST_FILE = 64 * 1024 * 1024
"""Four times the 16 MiB at which a match closes; no larger journal was written here."""


class TornTail(Struct, frozen=True):
    """The beginning of a record that was never completed, because of a crash while appending."""

    length: int
    """The number of bytes cut off."""

    kept: Path | None
    """The file that the bytes were moved to; None if the journal was only read."""


def scan_journal(
    data: bytes, magic: bytes, path: Path, largest: int
) -> tuple[list[tuple[int, int]], int]:
    """Return offset and length of each record, and the offset after the last complete one.

    A torn tail may follow; anything else raises `StoreError`: FOREIGN if the header is another one,
    DAMAGED if a length is impossible. A tail of zeros counts as torn, because some file systems
    grow a file before its bytes arrive.
    """
    if len(data) < len(magic) and magic.startswith(data):
        return [], 0
    if not data.startswith(magic):
        raise StoreError(FileProblem.FOREIGN, path)
    records: list[tuple[int, int]] = []
    here = len(magic)
    while here + LENGTH_BYTES <= len(data):
        length = int.from_bytes(data[here : here + LENGTH_BYTES], "big")
        if length == 0 and not any(data[here:]):
            break
        if not 0 < length <= largest:
            raise StoreError(FileProblem.DAMAGED, path, f"record {len(records)} at byte {here}")
        if here + LENGTH_BYTES + length > len(data):
            break
        records.append((here + LENGTH_BYTES, length))
        here += LENGTH_BYTES + length
    return records, here


def read_journal(
    path: Path, magic: bytes, largest: int = LARGEST_RECORD
) -> tuple[tuple[bytes, ...], TornTail | None]:
    """Return all complete records of a journal, even while another program has it open.

    The file is not changed. Raise `StoreError`: NOT_READABLE, TOO_LARGE, FOREIGN, DAMAGED.
    """
    with refusals(path, FileProblem.NOT_READABLE):
        file = files.open_to_read(path)
        try:
            data = _contents(file, path)
        finally:
            os.close(file)
    records, end = scan_journal(data, magic, path, largest)
    tail = TornTail(len(data) - end, None) if len(data) > end else None
    return tuple(data[start : start + length] for start, length in records), tail


class Journal:
    """One open journal, to which only this program writes.

    New files are readable by their owner only. `append` hands the bytes to the operating system, so
    they survive a crash of this program; `sync` makes them survive a power failure.
    """

    def __init__(
        self, path: Path, magic: bytes, *, largest: int = LARGEST_RECORD, private: bool = False
    ) -> None:
        """Open the file, or begin it if there is none. A torn tail is moved to another file.

        `private` refuses a file that others can read or change (NOT_PRIVATE, NOT_OURS). Other
        `StoreError`s are IN_USE, FOREIGN, DAMAGED, TOO_LARGE, NOT_READABLE, NOT_WRITABLE, DISK_FULL
        and READ_ONLY. None of them changes the content of the file.
        """
        self.path = path
        self.torn: TornTail | None = None
        """The tail that was cut off on opening, if the last writer was interrupted."""
        self._largest = largest
        self._usable = True
        self._is_new = False
        """Whether the disk may not have the name of the file yet."""
        with refusals(path, FileProblem.NOT_WRITABLE):
            self._file = files.open_to_change(path)
        try:
            self._open(magic, private)
        except BaseException:
            self.close()
            raise

    def _open(self, magic: bytes, private: bool) -> None:
        hold(self._file, self.path)
        if private:
            check_private(self.path, os.fstat(self._file))
        with refusals(self.path, FileProblem.NOT_READABLE):
            data = _contents(self._file, self.path)
        self._records, self._end = scan_journal(data, magic, self.path, self._largest)
        with refusals(self.path, FileProblem.NOT_WRITABLE):
            if len(data) > self._end:
                self._move_tail_aside(data[self._end :])
            os.lseek(self._file, self._end, os.SEEK_SET)
            if self._end == 0:
                files.write_all(self._file, magic)
                self._end = len(magic)
                self._is_new = True

    def _move_tail_aside(self, tail: bytes) -> None:
        """Move the tail to another file, then end the journal after its last complete record."""
        kept = unused_name(self.path, "torn")
        write_private(kept, tail, replace=False)
        os.ftruncate(self._file, self._end)
        files.sync(self._file)
        self.torn = TornTail(len(tail), kept)

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self._records)

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self._end

    def __getitem__(self, number: int) -> bytes:
        """Return record `number` (from 0) as read from the file. Raise IndexError without one."""
        start, length = self._records[number]
        self._check_open()
        with refusals(self.path, FileProblem.NOT_READABLE):
            data = files.read_at(self._file, length, start)
        if len(data) != length:
            raise StoreError(FileProblem.DAMAGED, self.path, f"record {number} is gone")
        return data

    def __iter__(self) -> Iterator[bytes]:
        """Iterate over all records in the order of writing."""
        return (self[number] for number in range(len(self)))

    def append(self, record: bytes) -> int:
        """Write one record of 1 to `largest` bytes and return its number.

        When this returns, the operating system has the bytes. If it raises `StoreError`
        (NOT_WRITABLE, DISK_FULL, READ_ONLY, TOO_LARGE), the journal is unchanged. If not even the
        incomplete record could be removed, every later call raises CLOSED. Raise ValueError for
        another length.
        """
        self._check_open()
        if not 0 < len(record) <= self._largest:
            raise ValueError(f"a record has 1 to {self._largest} bytes, not {len(record)}")
        frame = len(record).to_bytes(LENGTH_BYTES, "big") + record
        if self._end + len(frame) > LARGEST_FILE:
            raise StoreError(FileProblem.TOO_LARGE, self.path)
        with refusals(self.path, FileProblem.NOT_WRITABLE):
            try:
                files.write_all(self._file, frame)
            except BaseException:
                self._truncate_at(self._end)
                raise
        self._records.append((self._end + LENGTH_BYTES, len(record)))
        self._end += len(frame)
        return len(self._records) - 1

    def _truncate_at(self, end: int) -> None:
        """Remove the bytes after a position: nothing may ever follow an incomplete frame."""
        try:
            os.ftruncate(self._file, end)
            os.lseek(self._file, end, os.SEEK_SET)
        except BaseException:
            self._usable = False
            raise

    def read_all(self) -> bytes:
        """Return all bytes of the file."""
        self._check_open()
        with refusals(self.path, FileProblem.NOT_READABLE):
            return _contents(self._file, self.path)

    def truncate(self, count: int) -> None:
        """Keep only the first `count` records; the change is on the disk when this returns.

        Raise ValueError if there are fewer.
        """
        self._check_open()
        if not 0 <= count <= len(self._records):
            raise ValueError(f"there are {len(self._records)} records, not {count}")
        end = self._end
        if count < len(self._records):
            end = self._records[count][0] - LENGTH_BYTES
        with refusals(self.path, FileProblem.NOT_WRITABLE):
            self._truncate_at(end)
        self.sync()
        del self._records[count:]
        self._end = end

    def sync(self) -> None:
        """Return once everything appended so far is on the disk."""
        self._check_open()
        with refusals(self.path, FileProblem.NOT_WRITABLE):
            try:
                files.sync(self._file)
            except OSError:
                # The content of the disk is unknown now, and another fsync would not reveal it.
                self._usable = False
                raise
        if self._is_new:
            sync_folder(self.path.parent)
            self._is_new = False

    def _check_open(self) -> None:
        if self._file < 0 or not self._usable:
            raise StoreError(FileProblem.CLOSED, self.path)

    def close(self) -> None:
        """Close the file; the operating system already has the appended records."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _contents(file: int, path: Path) -> bytes:
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode):
        raise StoreError(FileProblem.NOT_READABLE, path, "not a file")
    if status.st_size > LARGEST_FILE:
        raise StoreError(FileProblem.TOO_LARGE, path, f"more than {LARGEST_FILE} bytes")
    pieces = []
    here = 0
    while piece := files.read_at(file, status.st_size - here, here):
        pieces.append(piece)
        here += len(piece)
    return b"".join(pieces)
