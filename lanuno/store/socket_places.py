"""Finding a path for the window's socket, in a folder that only its user can write to.

A user who can write to the folder of a socket can replace the socket and receive what was meant for
the window. Systems limit the path of a socket to about 100 bytes, so a deep folder has its socket
elsewhere. Windows has named pipes instead, which everybody can list, and only their user can
connect to. So that nobody can put another pipe in its place, each window has a pipe with a new
name, which stands in the private folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import sys
from pathlib import Path
from tempfile import gettempdir
from typing import Final

from lanuno.store.durable import check_private, read_bounded, refusals, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.system import files

LONGEST_PATH: Final = 80
"""The maximum length of a socket's path in bytes; Qt makes it longer while creating the file."""

_PIPE_BYTES: Final = 16
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


def socket_places(home: Home, *, renew: bool = False) -> tuple[list[Path], list[StoreError]]:
    """Return the paths for the socket, best first, and what is wrong with the rejected ones.

    `renew`: whether the caller will listen there, so that a pipe gets a new name.
    """
    return _pipes(home, renew=renew) if sys.platform == "win32" else _sockets(home)


def _pipes(home: Home, *, renew: bool) -> tuple[list[Path], list[StoreError]]:
    path = home.private / "window.pipe"
    try:
        if renew:
            write_private(path, secrets.token_hex(_PIPE_BYTES).encode())
        name = read_bounded(path, 2 * _PIPE_BYTES)
    except StoreError as error:
        return [], [error]
    if name is None:
        return [], []
    return [Path(rf"\\.\pipe\lanuno-{name.decode('ascii', 'replace')}")], []


def _sockets(home: Home) -> tuple[list[Path], list[StoreError]]:
    """Look in the private folder; in the system's runtime folder of this user, if there is one.

    That is XDG_RUNTIME_DIR. If the private folder is rejected, look in a folder of this user among
    the temporary files, too, so that programs started in different ways look in the same place.
    """
    beside = home.private / "window"
    short = f"lanuno-{hashlib.sha256(os.fsencode(beside)).hexdigest()[:16]}"
    places: list[Path] = []
    refused: list[StoreError] = []

    def offer(path: Path, *, make: bool = False) -> None:
        try:
            if len(os.fsencode(path)) > LONGEST_PATH:
                raise StoreError(
                    FileProblem.NOT_WRITABLE, path, "the path is too long for a socket"
                )
            if make:
                _make_own(path.parent)
            _check_own(path.parent)
        except StoreError as error:
            refused.append(error)
        else:
            places.append(path)

    offer(beside)
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    # The XDG specification calls any other path invalid.
    if runtime.startswith("/"):
        offer(Path(runtime, short))
    if beside not in places:
        offer(Path(gettempdir(), f"lanuno-{files.own_ids()[0]}", short), make=True)
    return places, refused


def _check_own(folder: Path) -> None:
    """Refuse a path that is not a folder, or not private to this user."""
    with refusals(folder, FileProblem.NOT_READABLE):
        found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise StoreError(FileProblem.NOT_PRIVATE, folder, "not a folder")
    check_private(folder, found)


def _make_own(folder: Path) -> None:
    """Create the folder for this user alone, where no other user can replace it."""
    with refusals(folder, FileProblem.NOT_WRITABLE):
        above = folder.parent.stat()
        if above.st_uid != 0 and files.is_foreign(above):
            raise StoreError(FileProblem.NOT_OURS, folder.parent)
        if above.st_mode & _OTHERS_WRITE and not above.st_mode & stat.S_ISVTX:
            raise StoreError(
                FileProblem.NOT_PRIVATE, folder.parent, "others can rename what is in it"
            )
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=files.PRIVATE_FOLDER)
