"""A disk with little room, for tests: a real one where the system allows it.

Root can mount a small file system in memory. For other users the growth of their files is limited
instead, which the operating system refuses with a different error. Both are refusals of a real
system, and a test accepts either.
"""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from lanuno.store.errors import FileProblem

if sys.platform != "win32":
    import resource

NOBODY = 65534


class SmallDisk:
    """A folder on a small disk, or one that behaves like it."""

    def __init__(self, folder: Path, kib: int) -> None:
        """Make the folder, and mount a disk of this size (in KiB) there."""
        folder.mkdir()
        self.folder = folder
        self.real = self._mount(f"size={kib}k")
        """Whether a disk is mounted at the folder."""

    def _mount(self, *options: str) -> bool:
        command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "lanuno", str(self.folder)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    @property
    def full(self) -> FileProblem:
        """The error of writing while it is full."""
        return FileProblem.DISK_FULL if self.real else FileProblem.NOT_WRITABLE

    @property
    def protected(self) -> FileProblem:
        """The error of writing while it is read-only."""
        return FileProblem.READ_ONLY if self.real else FileProblem.NOT_WRITABLE

    def resize(self, kib: int) -> None:
        """Give it more room."""
        if self.real:
            self._mount("remount", f"size={kib}k")

    @contextlib.contextmanager
    def filled(self) -> Iterator[None]:
        """Leave no room; bytes that fit into the last page of a file may still be written."""
        if self.real:
            ballast = self.folder / "ballast"
            with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while file.write(bytes(4096)):
                    pass
            yield
            ballast.unlink()
            return
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    @contextlib.contextmanager
    def read_only(self) -> Iterator[None]:
        """Make it read-only."""
        if self.real:
            assert self._mount("remount", "ro")
            yield
            assert self._mount("remount", "rw")
            return
        with withheld(self.folder, stat.S_IWUSR):
            yield

    def close(self) -> None:
        """Unmount it and remove everything on it."""
        if self.real:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


@contextlib.contextmanager
def small_disk(folder: Path, kib: int = 256) -> Iterator[SmallDisk]:
    """A small disk at a folder that does not exist yet."""
    disk = SmallDisk(folder, kib)
    try:
        yield disk
    finally:
        disk.close()


@contextlib.contextmanager
def withheld(folder: Path, right: int) -> Iterator[None]:
    """Revoke a permission of the owner of a folder and everything in it."""
    deepest_last = sorted((folder, *folder.rglob("*")))
    modes = [(path, path.stat().st_mode) for path in deepest_last]
    for path, mode in reversed(modes):
        path.chmod(mode & ~right)
    try:
        yield
    finally:
        for path, mode in modes:
            path.chmod(mode)


@contextlib.contextmanager
def locked_out(folder: Path) -> Iterator[None]:
    """Revoke this process's access to a folder, as if another user had removed it."""
    try:
        os.seteuid(NOBODY)
    except PermissionError:  # only root can become another user
        with withheld(folder, stat.S_IRWXU):
            yield
        return
    try:
        yield
    finally:
        os.seteuid(0)
