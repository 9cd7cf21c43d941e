"""Files, opened and kept in the same way on every system.

All openings are binary, closed in child processes, and never wait for a pipe. On Windows, too, a
file that is open can be renamed and deleted; in place of it, another cannot be put there. Errors
are those of the operating system; `lanuno.store` translates them.

What Windows cannot say is not checked there: a file has no owner and no mode that Python could
read, so the access list of the user's profile folder protects it.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import time
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    import _winapi
    import ctypes
    import msvcrt
    from ctypes import wintypes
else:
    import fcntl
    import pwd

PRIVATE_FILE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO

# ---- opening ------------------------------------------------------------------------------------

if sys.platform == "win32":
    # CreateFileW: names of its documentation.
    _FILE_APPEND_DATA: Final = 0x4
    _SHARE_ALL: Final = 0x7  # to read, to write, to delete or rename
    _CREATE_NEW: Final = 1
    _OPEN_ALWAYS: Final = 4
    _FILE_ATTRIBUTE_NORMAL: Final = 0x80

    def _open(
        path: Path, access: int, disposition: int, flags: int = 0, *, follow: bool = False
    ) -> int:
        """Open a file that others may rename or delete meanwhile, unlike with `os.open`."""
        if not follow and path.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        try:
            handle = _winapi.CreateFile(
                str(path), access, _SHARE_ALL, 0, disposition, _FILE_ATTRIBUTE_NORMAL, 0
            )
        except OSError as error:
            if isinstance(error, PermissionError) and path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path) from None
            error.filename = str(path)
            raise
        return msvcrt.open_osfhandle(handle, os.O_BINARY | os.O_NOINHERIT | flags)

    def open_to_read(path: Path, *, follow: bool = True) -> int:
        access = _winapi.GENERIC_READ
        return _open(path, access, _winapi.OPEN_EXISTING, os.O_RDONLY, follow=follow)

    def open_to_change(path: Path, *, follow: bool = False) -> int:
        access = _winapi.GENERIC_READ | _winapi.GENERIC_WRITE
        return _open(path, access, _OPEN_ALWAYS, follow=follow)

    def open_to_append(path: Path, *, new: bool = False) -> int:
        disposition = _CREATE_NEW if new else _OPEN_ALWAYS
        return _open(path, _winapi.GENERIC_READ | _FILE_APPEND_DATA, disposition, os.O_APPEND)

    def create(path: Path) -> int:
        return _open(path, _winapi.GENERIC_WRITE, _CREATE_NEW)

else:

    def open_to_read(path: Path, *, follow: bool = True) -> int:
        """Open a file to read it. `follow`: whether the path may be a link."""
        flags = os.O_RDONLY | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
        return os.open(path, flags)

    def open_to_change(path: Path, *, follow: bool = False) -> int:
        """Open a file to read and write it; a missing one is created for its owner only."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
        return os.open(path, flags, PRIVATE_FILE)

    def open_to_append(path: Path, *, new: bool = False) -> int:
        """Open a file so that every write goes to its end, for its owner only.

        `new`: raise FileExistsError if there is one.
        """
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
        return os.open(path, flags | (os.O_EXCL if new else 0), PRIVATE_FILE)

    def create(path: Path) -> int:
        """Create a file for its owner only. Raise FileExistsError if there is one."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, PRIVATE_FILE)


def open_null() -> int:
    """Open the null device, to read nothing and to write for nobody."""
    return os.open(os.devnull, os.O_RDWR)


# ---- reading, writing, flushing -----------------------------------------------------------------


if sys.platform == "win32":
    # Its C library knows no better number for a pipe that is being closed.
    READER_GONE: Final = frozenset({errno.EPIPE, errno.EINVAL})
else:
    READER_GONE: Final = frozenset({errno.EPIPE, errno.EIO})
    """Error numbers of writing to a pipe that nobody reads any more, or to a closed terminal."""


def write_all(file: int, data: bytes) -> None:
    """Hand all bytes to the operating system, at the current position of the open file."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


if sys.platform == "win32":

    def read_at(file: int, length: int, start: int) -> bytes:
        here = os.lseek(file, 0, os.SEEK_CUR)
        try:
            os.lseek(file, start, os.SEEK_SET)
            return os.read(file, length)
        finally:
            os.lseek(file, here, os.SEEK_SET)

else:

    def read_at(file: int, length: int, start: int) -> bytes:
        """Return up to `length` bytes from an offset on; the current position stays."""
        return os.pread(file, length, start)


def sync(file: int) -> None:
    """Return once what was written to the open file survives a power failure."""
    if sys.platform == "darwin":
        # fsync(2) of macOS leaves the bytes in the cache of the disk.
        try:
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)
        except OSError as error:
            if error.errno not in (errno.ENOTSUP, errno.EINVAL, errno.ENOTTY):
                raise
        else:
            return
    os.fsync(file)


def sync_folder(path: Path) -> None:
    """Make new or renamed names in this folder survive a power failure.

    Windows has no call for that; NTFS keeps names in its own journal.
    """
    if sys.platform != "win32":
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# ---- names --------------------------------------------------------------------------------------

_RETRY_SECONDS: Final = 1.0
"""How long Windows is asked again to replace a file that another program, such as a virus scanner,
has just opened without sharing it."""


if sys.platform == "win32":

    def replace(source: Path, target: Path) -> None:
        until = time.monotonic() + _RETRY_SECONDS
        while True:
            try:
                source.replace(target)
            except PermissionError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)
            else:
                return

    def rename_new(source: Path, target: Path) -> None:
        source.rename(target)

else:

    def replace(source: Path, target: Path) -> None:
        """Rename a file; an existing `target` is replaced in one step."""
        source.replace(target)

    def rename_new(source: Path, target: Path) -> None:
        """Rename a file in one step. Raise FileExistsError, and change nothing, for a taken name.

        The source may remain as a second name.
        """
        try:
            os.link(source, target)
        except FileExistsError:
            raise
        except OSError:
            # File systems of USB sticks know no second names. The name is claimed with an empty
            # file, which no other program can claim too.
            os.close(create(target))
            source.replace(target)


# ---- locks --------------------------------------------------------------------------------------

if sys.platform == "win32":
    _LOCKED_BYTE: Final = 2**30
    """Locks of Windows are for bytes, which nobody else can read then: one far beyond the data."""
    _ERROR_LOCK_VIOLATION: Final = 33

    def lock(file: int) -> bool:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        if kernel.LockFile(wintypes.HANDLE(msvcrt.get_osfhandle(file)), _LOCKED_BYTE, 0, 1, 0):
            return True
        error = ctypes.get_last_error()
        if error != _ERROR_LOCK_VIOLATION:
            raise ctypes.WinError(error)
        return False

else:

    def lock(file: int) -> bool:
        """Lock an open file against all other openings; return False if another has locked it.

        Closing the file ends the lock, and so does the end of the program, however it ends.
        """
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


# ---- owners -------------------------------------------------------------------------------------


if sys.platform == "win32":

    def make_private(file: int) -> None:
        pass

    def shared_mode(status: os.stat_result) -> str:
        return ""

    def own_ids() -> tuple[int, int]:
        return 0, 0

    def user_name(user: int) -> str:
        return str(user)

else:

    def make_private(file: int) -> None:
        """Let only its owner read and change the open file."""
        os.fchmod(file, PRIVATE_FILE)

    def shared_mode(status: os.stat_result) -> str:
        """Return the mode, such as "0644", of a file that others can read or change; else ""."""
        return f"{stat.S_IMODE(status.st_mode):04o}" if status.st_mode & _OTHERS else ""

    def own_ids() -> tuple[int, int]:
        """Return the numbers of this user and its group; on Windows 0, as all files have there."""
        return os.geteuid(), os.getegid()

    def user_name(user: int) -> str:
        """Return the name of a user, or the number of one without a name."""
        try:
            return pwd.getpwuid(user).pw_name
        except KeyError:
            return str(user)


def is_foreign(status: os.stat_result) -> bool:
    """Whether another user owns the file. False on Windows, where that is not known."""
    return status.st_uid != own_ids()[0]


# ---- disks --------------------------------------------------------------------------------------


def free_bytes(folder: Path) -> int:
    """Return how many more bytes this user can write to the disk of a folder."""
    return shutil.disk_usage(folder).free


if sys.platform == "win32":

    def is_read_only(folder: Path) -> bool:
        return False

else:

    def is_read_only(folder: Path) -> bool:
        """Whether the disk of a folder cannot be written to. False on Windows: errors say so."""
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
