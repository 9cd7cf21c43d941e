"""The file of `--trace`: one JSON line for each input, role change and output of a node.

`lanuno.table.trace` makes the lines. They contain the cards of this computer's seats, so the file
is private, and it is always a new one.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from lanuno.store.durable import refusals
from lanuno.store.errors import FileProblem, StoreError
from lanuno.system import files

LARGEST_TRACE: Final = 2 * 1024**3
"""The size in bytes at which a trace ends, so that a forgotten option does not fill the disk."""

SPARE_BYTES: Final = 256 * 1024**2
"""The free space of the disk, in bytes, below which a trace ends. Peers decide how much they send,
and a full disk would stop this computer's tables."""

CHECK_BYTES: Final = 1024**2
"""The free space is looked at again after this many bytes."""

_log = logging.getLogger(__name__)


class TraceFile:
    """The traces of the nodes of one program, in one file."""

    def __init__(self, path: Path) -> None:
        """Create the file.

        Raise `StoreError`: ALREADY_THERE, NOT_WRITABLE, DISK_FULL, READ_ONLY.
        """
        self._path = path
        self._nodes = 0
        self._size = 0
        self._checked = -CHECK_BYTES
        """The size at which the free space was looked at last."""
        self._lock = threading.Lock()
        """The program may close the file while a table still plays on another thread."""
        with refusals(path, FileProblem.NOT_WRITABLE):
            try:
                self._file: int | None = files.open_to_append(path, new=True)
            except FileExistsError:
                raise StoreError(FileProblem.ALREADY_THERE, path) from None

    def add_node(self) -> int:
        """Return the number of a new node, beginning with 0."""
        self._nodes += 1
        return self._nodes - 1

    def write(self, line: bytes) -> bool:
        """Write a line; return whether the trace goes on.

        If writing fails, log why and write no more: the game does not depend on it. Each line is
        one write, so that it survives a crash of this program.
        """
        with self._lock:
            if self._file is not None:
                try:
                    self._append(self._file, line)
                except OSError as error:
                    _log.warning("the trace ends here: %s", error.strerror or error)
                    self._close()
            return self._file is not None

    def _append(self, file: int, line: bytes) -> None:
        self._size += len(line)
        if self._size > LARGEST_TRACE:
            raise OSError("the trace has reached its largest size")
        if self._size >= self._checked + CHECK_BYTES:
            self._checked = self._size
            if files.free_bytes(self._path.parent) < SPARE_BYTES:
                raise OSError("hardly any space is left on the disk")
        if os.write(file, line) < len(line):
            raise OSError("no space left on the disk")

    def close(self) -> None:
        """Close the file. Remove it if no node has played: it is empty then."""
        with self._lock:
            self._close()
        if not self._nodes:
            with suppress(OSError):
                self._path.unlink()

    def _close(self) -> None:
        # Given up first: the number of a file whose closing failed may already be another file's.
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                os.close(file)


@contextmanager
def trace_to(path: Path | None) -> Iterator[TraceFile | None]:
    """Create the trace of `--trace`, and close it in the end. Without a path, there is none.

    Raises `StoreError`, as `TraceFile` does.
    """
    if path is None:
        yield None
        return
    trace = TraceFile(path)
    try:
        yield trace
    finally:
        trace.close()
