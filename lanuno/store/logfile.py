"""The program's rotating log.

It is readable by its owner only, bounded in size, and shared by all programs that use these
folders. `log_text.py` formats the lines, and `log_limit.py` limits their rate. Write errors are
ignored, because a table must not wait for its log.
"""

from __future__ import annotations

import contextlib
import logging
import os
import platform
import stat
import sys
import time
import traceback
from abc import abstractmethod
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from lanuno import __version__
from lanuno.store.durable import make_private_folder
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.log_limit import RepeatLimit
from lanuno.store.log_text import indented, one_line
from lanuno.store.paths import Home
from lanuno.system import files

LARGEST_LOG: Final = 1024 * 1024
OLD_FILES: Final = 3
"""The number of older files beside the log, each of at most `LARGEST_LOG` bytes."""

LONGEST_RECORD: Final = 64 * 1024
"""The maximum number of characters of one record with its traceback."""

LEVELS: Final = {
    "off": logging.CRITICAL,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}
"""By the names offered in the settings. `off` writes only a crash of the program."""

USUAL_LEVEL: Final = "info"


class LimitedLog(logging.Handler):
    """A handler that writes each record as text, and limits the rate of each kind of record."""

    def __init__(self, level: int = logging.NOTSET) -> None:
        """Write the records of this level and above."""
        super().__init__(level)
        self._limit = RepeatLimit()

    @abstractmethod
    def write(self, text: str) -> None:
        """Write one record."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; it is lost if it cannot be written."""
        with contextlib.suppress(Exception):
            now = time.monotonic()
            self._sum_up(now)
            address = str(getattr(record, "address", ""))
            if self._limit.allows(f"{record.name}: {record.msg}", address, now):
                self.write(self.format(record))

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line, followed by its indented traceback."""
        when = datetime.fromtimestamp(record.created, UTC).astimezone()
        head = f"{when.isoformat(timespec='milliseconds')} [{os.getpid()}] {record.levelname}"
        text = f"{head} {one_line(record.name)}: {one_line(record.getMessage())}"
        if record.exc_info and record.exc_info[1] is not None:
            text += "\n" + indented("".join(traceback.format_exception(record.exc_info[1])))
        return text[:LONGEST_RECORD]

    def sum_up(self, *, everything: bool = False) -> None:
        """Write the summaries that are due, since a flood of lines may be over.

        `everything` includes those that are not due yet.
        """
        with contextlib.suppress(Exception), self.lock or contextlib.nullcontext():
            self._sum_up(time.monotonic(), everything=everything)

    def close(self) -> None:
        """Write all summaries."""
        self.sum_up(everything=True)
        super().close()

    def _sum_up(self, now: float, *, everything: bool = False) -> None:
        for each in self._limit.summaries(now, everything=everything):
            last = f", the last about {each.last}" if each.last else ""
            message = f"and {each.count} more in {each.seconds:.0f} s{last}: {each.kind}"
            self.write(self.format(_record(message)))


class LogFile(LimitedLog):
    """A handler that writes records to the log of some folders; it opens the file when needed.

    Several programs may write to one file: each record is one write at its end. The program that
    finds the file full moves it aside under a lock, and the others open the new one.
    """

    def __init__(self, home: Home, program: str = "", level: int = logging.NOTSET) -> None:
        """`program` names this program in the first line that it writes."""
        super().__init__(level)
        self._folder, self._path = home.state, home.log
        self._program = program
        self._file: int | None = None
        self._begun = False
        self._torn = False
        """Whether the disk accepted only a part of the last record."""
        self._lost = 0

    def close(self) -> None:
        """Write all summaries, and close the file."""
        super().close()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def open(self) -> None:
        """Open the file now. Raise `StoreError` or OSError if it cannot be written."""
        if self._file is None:
            make_private_folder(self._folder)
            self._file = _opened(self._path)

    def write(self, text: str) -> None:
        """Append a record to the file, or count it as lost."""
        lines = [text]
        if self._lost:
            lines.insert(0, self.format(_record(f"{self._lost} lines could not be written")))
        if not self._begun:
            lines.insert(0, self.format(_record(f"this is {_about(self._program)}")))
        try:
            self._append(("\n".join(lines) + "\n").encode("utf-8", "backslashreplace"))
        except (StoreError, OSError):
            self._lost += 1
        else:
            self._begun, self._lost = True, 0

    def _append(self, data: bytes) -> None:
        self.open()
        if not self._is_at_its_place():
            self._reopen()
        assert self._file is not None
        if self._torn:
            data = b"\n" + data
        size = os.fstat(self._file).st_size
        if size and size + len(data) > LARGEST_LOG:
            self._rotate()
            if os.fstat(self._file).st_size + len(data) > 2 * LARGEST_LOG:
                raise StoreError(
                    FileProblem.TOO_LARGE, self._path
                )  # another program has held the lock for a long time
        self._torn = os.write(self._file, data) < len(data)
        if self._torn:
            raise StoreError(FileProblem.NOT_WRITABLE, self._path)

    def _is_at_its_place(self) -> bool:
        """Whether the open file is still the log; another program may have moved it aside."""
        assert self._file is not None
        try:
            there = self._path.stat(follow_symlinks=False)
        except FileNotFoundError:
            return False
        return os.path.samestat(os.fstat(self._file), there)

    def _reopen(self) -> None:
        file, self._file, self._torn = self._file, None, False
        if file is not None:
            os.close(file)
        self.open()

    def _rotate(self) -> None:
        """Move the full file aside, unless another program is doing that now."""
        assert self._file is not None
        # `_reopen` releases the lock by closing the file.
        if not files.lock(self._file):
            return
        if self._is_at_its_place():
            for number in range(OLD_FILES, 0, -1):
                with contextlib.suppress(FileNotFoundError):
                    files.replace(_old(self._path, number - 1), _old(self._path, number))
        self._reopen()


class ShownLog(LimitedLog):
    """A handler that shows records of every level on standard error, as the log file has them."""

    def write(self, text: str) -> None:
        """Show a record. Standard error may be closed, or a pipe that nobody reads: see `emit`."""
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def open_log(home: Home, program: str = "") -> LogFile:
    """Return a handler that writes to the log of these folders; the caller adds and closes it.

    Raise `StoreError` or OSError if the log cannot be written.
    """
    handler = LogFile(home, program)
    handler.open()
    return handler


@contextlib.contextmanager
def logging_to(
    home: Home, program: str, level: str = USUAL_LEVEL, *, shown: bool = False
) -> Iterator[None]:
    """Write this program's log records of this level and above to these folders.

    `shown`: whether all records, of every level, also appear on standard error. Of libraries, only
    warnings and errors are written.
    """
    root, own = logging.getLogger(), logging.getLogger("lanuno")
    handler = LogFile(home, program, LEVELS[level])
    if level == "off":
        handler.addFilter(lambda _record: False)
    before = own.level
    own.setLevel(logging.DEBUG if shown else LEVELS[level])
    handlers = [handler, *([ShownLog()] if shown else [])]
    for each in handlers:
        root.addHandler(each)
    try:
        yield
    finally:
        for each in handlers:
            root.removeHandler(each)
        own.setLevel(before)
        for each in handlers:
            each.close()


def sum_up_logs() -> None:
    """Write the due summaries of all logs of this program."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, LimitedLog):
            handler.sum_up()


def why_not_writable(home: Home) -> str:
    """Return, in English, why no log can be written there; "" if one can. Creates the file."""
    try:
        open_log(home).close()
        free = files.free_bytes(home.state)
    except (StoreError, OSError) as error:
        return one_line(str(error))
    return "" if free else "no space left on the disk"


def write_crash(home: Home, error: BaseException) -> Path | None:
    """Write the traceback of an unexpected error to the log.

    Return the file, or None if it cannot be written, which must not hide the error itself.
    """
    try:
        handler = open_log(home)
    except (StoreError, OSError):
        return None
    try:
        handler.handle(_record("unexpected error", logging.CRITICAL, error))
    finally:
        handler.close()
    return home.log


def _record(
    message: str, level: int = logging.INFO, error: BaseException | None = None
) -> logging.LogRecord:
    about = None if error is None else (type(error), error, error.__traceback__)
    return logging.LogRecord("lanuno", level, __file__, 0, message, None, about)


def _about(program: str) -> str:
    what = f"LanUNO {__version__}" + (f" ({program})" if program else "")
    # Not `platform.platform()`, which runs another program.
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return f"{what}, Python {platform.python_version()}, {system}"


def _old(path: Path, number: int) -> Path:
    """Return the path of an older log by its number; 0 is the newest."""
    return path if number == 0 else path.with_name(f"{path.name}.{number}")


def _opened(path: Path) -> int:
    """Open the log for its owner only. Refuse anything but a file, since a pipe could block."""
    file = files.open_to_append(path)
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or files.is_foreign(status):
            raise StoreError(FileProblem.NOT_OURS, path, "not a file of ours")
        files.make_private(file)
    except BaseException:
        os.close(file)
        raise
    return file
