"""Independent parts of one piece of work, done in copies of this process on all cores.

For the process of `bounded_process.py`, which has one thread, so that it can be copied at any
moment. A copy has the limits of its original, and its time counts (`processes.spent_seconds`).
"""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from lanuno.system.processes import CAN_COPY, copy_process

MOST_COPIES: Final = 8
"""The maximum number of copies at a time: each may take as much memory as its original."""

R = TypeVar("R")


class ForkedWork:
    """Begins parts of work, each in a copy of this process as it is then."""

    def __init__(self, copies: int | None = None) -> None:
        """`copies`: the most at a time; by default one for each core, less one for this process.

        With fewer than one, or where the system cannot copy a process, parts are done at once.
        """
        cores = os.cpu_count() or 1
        wanted = cores - 1 if copies is None else copies
        self._copies = min(MOST_COPIES, wanted) if CAN_COPY else 0
        self._running: deque[_Part[Any]] = deque()

    def begin(self, work: Callable[[], R]) -> Callable[[], R]:
        """Begin a part, and return a function that waits for its result, which is picklable."""
        if self._copies < 1:
            result = work()
            return lambda: result
        while len(self._running) >= self._copies:
            self._running.popleft().wait()
        part = _Part(work)
        self._running.append(part)
        return part.result


class _Part(Generic[R]):
    def __init__(self, work: Callable[[], R]) -> None:
        self._work = work
        self._answer: bytes | None = None
        self._result: list[R] = []
        self._read, write = os.pipe()
        try:
            self._copy = copy_process()
        except OSError:
            os.close(self._read)
            os.close(write)
            self._answer = b""
            return
        if self._copy == 0:
            _answer(work, write)
        os.close(write)

    def wait(self) -> None:
        """Wait until the copy has ended."""
        if self._answer is None:
            with os.fdopen(self._read, "rb") as pipe:
                answer = pipe.read()
            _, status = os.waitpid(self._copy, 0)
            self._answer = answer if status == 0 else b""

    def result(self) -> R:
        """Return the result. A part whose copy failed is done here, where it fails as it must."""
        self.wait()
        if not self._result:
            # Nobody but our own copy can have written the answer.
            done = pickle.loads(self._answer) if self._answer else self._work()  # noqa: S301
            self._result.append(done)
        return self._result[0]


def _answer(work: Callable[[], object], write: int) -> None:
    """Do the work in the copy and end it; never returns."""
    code = 1
    try:
        with os.fdopen(write, "wb") as pipe:
            pipe.write(pickle.dumps(work()))
        code = 0
    finally:
        os._exit(code)
