"""Finding which file of another user is in the way, and how to give it back to this user."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lanuno.store.errors import FileProblem, StoreError
from lanuno.system import files

_REFUSED: Final = frozenset(
    {FileProblem.NOT_READABLE, FileProblem.NOT_WRITABLE, FileProblem.NOT_OURS}
)


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A file or folder of another user, in the way of this user's files."""

    path: Path
    owner: str
    command: str
    """A shell command that gives it to this user; empty if it lies in no folder of this user."""


def foreign_file(error: StoreError) -> ForeignFile | None:
    """Return the outermost foreign file on the path of an error; None if that is not the cause."""
    me, group = files.own_ids()
    if error.problem not in _REFUSED or me == 0:
        return None
    foreign: tuple[Path, int] | None = None
    for path in (error.path, *error.path.parents):
        try:
            owner = path.lstat().st_uid
        except OSError:
            continue  # it does not exist, or a folder above it is closed to this user
        if owner == me:
            if foreign is None:
                return None
            command = f"sudo chown -R {me}:{group} {shlex.quote(str(foreign[0]))}"
            return ForeignFile(foreign[0], files.user_name(foreign[1]), command)
        foreign = path, owner
    innermost = next((path for path in (error.path, *error.path.parents) if _is_there(path)), None)
    if innermost is None:
        return None
    return ForeignFile(innermost, files.user_name(innermost.lstat().st_uid), "")


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except OSError:
        return False
    return True
