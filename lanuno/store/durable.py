"""Crash-safe writes, and bounded reads that refuse private files readable by other users."""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from lanuno.store.errors import FileProblem, StoreError
from lanuno.system import files

NO_HOME = Path("/nonexistent")
"""By convention of Linux systems, the home folder of a user without one."""
# Problems that the user can solve, if they are reported.
_REASONS = {
    errno.ENOSPC: FileProblem.DISK_FULL,
    errno.EDQUOT: FileProblem.DISK_FULL,
    errno.EROFS: FileProblem.READ_ONLY,
}
_WINDOWS_REASONS = {
    19: FileProblem.READ_ONLY,  # ERROR_WRITE_PROTECT
    32: FileProblem.IN_USE,  # ERROR_SHARING_VIOLATION
    33: FileProblem.IN_USE,  # ERROR_LOCK_VIOLATION
}


@contextlib.contextmanager
def refusals(path: Path, problem: FileProblem) -> Iterator[None]:
    """Turn errors of the operating system about `path` into `StoreError` with this problem.

    A full or read-only disk, and a file that Windows keeps for another program, are always reported
    as such instead.
    """
    try:
        yield
    except OSError as error:
        why = _REASONS.get(error.errno or 0, problem)
        why = _WINDOWS_REASONS.get(getattr(error, "winerror", None) or 0, why)
        raise StoreError(why, path, error.strerror or type(error).__name__) from error


def make_private_folder(path: Path) -> None:
    """Create a folder and its parents for the owner only. An existing folder is not changed.

    Raise `StoreError`: NOT_WRITABLE, DISK_FULL, READ_ONLY, NO_HOME.
    """
    if path.is_relative_to(NO_HOME):
        raise StoreError(FileProblem.NO_HOME, path)
    with refusals(path, FileProblem.NOT_WRITABLE):
        missing = []
        here = path
        while not here.exists():
            missing.append(here)
            here = here.parent
        for folder in reversed(missing):
            with contextlib.suppress(FileExistsError):
                folder.mkdir(mode=files.PRIVATE_FOLDER)
            sync_folder(folder.parent)
        if not path.is_dir():
            raise StoreError(FileProblem.NOT_WRITABLE, path, "not a folder")


def check_private(path: Path, status: os.stat_result | None = None) -> None:
    """Raise `StoreError` for a path that another user owns, or that others can read or change.

    The problems are NOT_OURS and NOT_PRIVATE; NOT_READABLE if owner and mode cannot be read.
    """
    with refusals(path, FileProblem.NOT_READABLE):
        found = status or path.stat()
    if files.is_foreign(found):
        raise StoreError(FileProblem.NOT_OURS, path)
    if mode := files.shared_mode(found):
        raise StoreError(FileProblem.NOT_PRIVATE, path, f"mode {mode}")


def sync_folder(path: Path) -> None:
    """Make new or renamed names in this folder survive a power failure."""
    with refusals(path, FileProblem.NOT_WRITABLE):
        files.sync_folder(path)


def write_private(path: Path, data: bytes, *, replace: bool = True) -> None:
    """Write a whole file atomically, for the owner only.

    Afterwards the file holds either all of `data` or its earlier content. With `replace=False` an
    existing file is never touched: ALREADY_THERE is raised, even if two programs write
    simultaneously. Other `StoreError`s are NOT_WRITABLE, DISK_FULL and READ_ONLY.
    """
    spare = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
    with refusals(path, FileProblem.NOT_WRITABLE):
        file = files.create(spare)
        try:
            try:
                files.write_all(file, data)
                files.sync(file)
            finally:
                os.close(file)
            if replace:
                files.replace(spare, path)
            else:
                try:
                    files.rename_new(spare, path)
                except FileExistsError as error:
                    raise StoreError(FileProblem.ALREADY_THERE, path) from error
        finally:
            spare.unlink(missing_ok=True)
    sync_folder(path.parent)


def files_in(folder: Path) -> list[Path]:
    """Return what is in a folder, sorted; nothing if there is no folder. Raise NOT_READABLE."""
    with refusals(folder, FileProblem.NOT_READABLE):
        try:
            return sorted(folder.iterdir())
        except FileNotFoundError:
            return []


def unused_name(path: Path, kind: str) -> Path:
    """Return an unused name beside a file, to keep something of it: `<name>.<kind><number>`."""
    with refusals(path, FileProblem.NOT_READABLE):
        number = 0
        while os.path.lexists(beside := path.with_name(f"{path.name}.{kind}{number}")):
            number += 1
        return beside


def set_aside(path: Path) -> Path | None:
    """Move a file to an unused name beside it, and return that; None if the file is gone."""
    kept = unused_name(path, "aside")
    with refusals(path, FileProblem.NOT_WRITABLE):
        try:
            files.replace(path, kept)
        except FileNotFoundError:
            return None
    sync_folder(path.parent)
    return kept


def read_text(path: Path, limit: int) -> bytes | None:
    """Return a file that people may edit, as `read_bounded` does, without a byte order mark.

    Some editors begin a file with one.
    """
    data = read_bounded(path, limit)
    return None if data is None else data.removeprefix(codecs.BOM_UTF8)


def read_bounded(
    path: Path, limit: int, *, private: bool = False, beginning: bool = False
) -> bytes | None:
    """Return the bytes of a file of at most `limit` bytes, or None if there is no such file.

    With `beginning=True`, a longer file is read up to the limit.

    With `private=True`, a file that others own, or can read or change, is refused before any byte
    is read. Raise `StoreError`: NOT_READABLE, NOT_A_FILE, TOO_LARGE, NOT_OURS, NOT_PRIVATE.
    """
    with refusals(path, FileProblem.NOT_READABLE):
        try:
            file = files.open_to_read(path)
        except FileNotFoundError:
            return None
        except IsADirectoryError:  # on Windows; other systems open folders
            raise StoreError(FileProblem.NOT_A_FILE, path) from None
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            os.close(file)
            raise StoreError(FileProblem.NOT_A_FILE, path)
        with os.fdopen(file, "rb") as opened:
            if private:
                check_private(path, status)
            data = opened.read(limit + 1)
    if len(data) > limit and not beginning:
        raise StoreError(FileProblem.TOO_LARGE, path, f"more than {limit} bytes")
    return data[:limit]
