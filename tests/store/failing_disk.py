"""Fakes of a failing disk, for the tests of the store."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest


class FullDisk:
    """Lets os.write write `room` more bytes, then reports a full disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room: int | None = None
        self._write = os.write
        monkeypatch.setattr(os, "write", self._limited)

    def _limited(self, file: int, data: Any) -> int:
        if self.room is None:
            return self._write(file, data)
        if self.room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = self._write(file, bytes(data)[: self.room])
        self.room -= written
        return written


def failing(number: int) -> Callable[..., Any]:
    """Return a system call that always fails with this errno."""

    def fail(*_arguments: Any, **_named: Any) -> Any:
        raise OSError(number, os.strerror(number))

    return fail
