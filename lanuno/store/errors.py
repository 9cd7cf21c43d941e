"""What can go wrong with files, as one error class that says what, where and why.

Texts for people are not here: the user interface has one for the name of each problem.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class FileProblem(Enum):
    """Every way in which this computer's own files can refuse."""

    NOT_READABLE = auto()
    """The operating system refuses to read it, or it is not there."""

    NOT_WRITABLE = auto()
    """The operating system refuses to write it, for another reason than the next two."""

    DISK_FULL = auto()
    """There is no room left for it, on the disk or for this user."""

    READ_ONLY = auto()
    """It is on a disk that cannot be written, or that the system stopped writing to."""

    NOT_PRIVATE = auto()
    """Other people of this computer could read a file or folder that holds secrets."""

    NOT_OURS = auto()
    """A file or folder that holds secrets belongs to another user of this computer."""

    TOO_LARGE = auto()
    """Larger than any file that this program writes."""

    DAMAGED = auto()
    """Its bytes are not what this program writes. It is left as it is."""

    FOREIGN = auto()
    """Its beginning is of no file of this kind, or of an unknown version."""

    IN_USE = auto()
    """Another running program holds it."""

    ALREADY_THERE = auto()
    """It would have been overwritten."""

    CONTRADICTION = auto()
    """Something else was already kept under the same name, and is never replaced."""

    CLOSED = auto()
    """It was closed, or an earlier failure left it unusable for further writing."""

    MISSING_RESOURCES = auto()
    """The pictures and texts that belong to the program were not found: a broken installation."""

    EVIDENCE = auto()
    """A table's log that ends with a proof against its host: nothing is played on there."""

    BAD_NAME = auto()
    """A display name that may not be shown to others."""


class StoreError(Exception):
    """A file cannot be used as asked. Nothing is lost: the file is as it was before."""

    def __init__(self, problem: FileProblem, path: Path, detail: str = "") -> None:
        """`detail` is technical and never holds content of a private file."""
        self.problem = problem
        self.path = path
        self.detail = detail
        super().__init__(f"{path}: {problem.name}" + (f": {detail}" if detail else ""))
