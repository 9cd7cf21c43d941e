"""The problems that files can have, and the exception that says what, where and why.

The user interface has a text for the name of each problem.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class FileProblem(Enum):
    """Every way in which a file of this computer can be unusable."""

    NOT_READABLE = auto()
    """The operating system refuses to read it, or it does not exist."""

    NOT_WRITABLE = auto()
    """The operating system refuses to write it, for a reason other than the next two."""

    DISK_FULL = auto()
    """The disk, or this user's share of it, has no space left."""

    READ_ONLY = auto()
    """It is on a disk that is read-only, or that the system has stopped writing to."""

    NOT_PRIVATE = auto()
    """Other users of this computer can read a file or folder that holds secrets."""

    NOT_OURS = auto()
    """A file or folder that holds secrets belongs to another user of this computer."""

    NO_HOME = auto()
    """This user has no home folder."""

    TOO_LARGE = auto()
    """It is larger than any file that this program writes."""

    DAMAGED = auto()
    """Its bytes are not what this program writes. The file is not changed."""

    FOREIGN = auto()
    """It begins like a file of another kind, or of an unknown version."""

    IN_USE = auto()
    """Another running program holds it."""

    ALREADY_THERE = auto()
    """It would have been overwritten."""

    CONTRADICTION = auto()
    """Different content is already stored under the same key, and is never replaced."""

    CLOSED = auto()
    """It was closed, or an earlier failure left it unusable for further writing."""

    MISSING_RESOURCES = auto()
    """The program's pictures and texts were not found: the installation is broken."""

    EVIDENCE = auto()
    """A table's log ends with a proof against its host, so that no further play is possible."""

    MISSING = auto()
    """The file that the user named does not exist."""

    NOT_A_FILE = auto()
    """It is a folder, a device or the like."""

    NO_TOURNAMENT = auto()
    """The files of a tournament do not lead to its table that was interrupted."""

    BAD_NAME = auto()
    """A display name that may not be shown to other players."""


class StoreError(Exception):
    """A file cannot be used as requested. Its earlier content is not lost."""

    def __init__(self, problem: FileProblem, path: Path, detail: str = "") -> None:
        """`detail` is technical and never contains the content of a private file."""
        self.problem = problem
        self.path = path
        self.detail = detail
        super().__init__(f"{path}: {problem.name}" + (f": {detail}" if detail else ""))
