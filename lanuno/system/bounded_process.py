"""Work on foreign bytes, run in a separate process with limits on its time and its memory.

The caller continues no matter what the bytes contain: the process answers, or it is killed and the
caller learns which limit was reached. One process serves one caller, one piece of work after the
other; a killed process is replaced for the next piece. Where the system supports it, the system
also limits the memory, and the processor time of work that does not check its time.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
import time
import traceback
from collections.abc import Callable
from enum import Enum
from multiprocessing.connection import Connection
from typing import Any, Final, NoReturn, TypeVar

from msgspec import Struct

from lanuno.system import files, signals
from lanuno.system.processes import (
    OUT_OF_TIME,
    begin_group,
    interrupts_blocked,
    kill_group,
    limit_memory,
    limit_processor,
    spent_seconds,
    was_killed,
)

PROCESSOR_SECONDS: Final = 30.0
"""Processor time for one piece of work; checking a match played by people takes a few seconds."""

MEMORY_BYTES: Final = 1024 * 1024 * 1024
"""The maximum memory of the process."""

LONGEST_WORK_SECONDS: Final = 600.0
"""Wall-clock time after which a process is killed even if it has used little processor time."""

PROGRESS_SECONDS: Final = 0.05
"""The time between two reports of progress."""

GRACE_SECONDS: Final = 30.0
"""Extra processor time for work that does not check its time, before the system kills it."""

R = TypeVar("R")
ReportProgress = Callable[[object], None]
"""Called often by the work with its progress; raises `TooLong` once the time is over."""


class WorkLimit(Enum):
    """Why a piece of work was ended without an answer."""

    TIME = "time"
    """It needed more time than allowed."""
    MEMORY = "memory"
    """It needed more memory than allowed."""
    KILLED = "killed"
    """Another program, or a system without memory left, killed its process."""
    NOT_STARTED = "not started"
    """The system started no process for it, for example because of a limit on processes."""


class LimitReached(Exception):
    """The work was ended without an answer."""

    def __init__(self, limit: WorkLimit) -> None:
        """Record why."""
        super().__init__(limit.value)
        self.limit = limit


class WorkCancelled(Exception):
    """The caller cancelled the work."""


class WorkFailed(Exception):
    """The work raised an exception, which is a bug; the text holds its traceback."""


class TooLong(BaseException):
    """Raised inside the work, in its process, to end it once its time is over."""


class _Started(Struct, frozen=True):
    """The process is ready for work, and its memory is limited."""


class _Progress(Struct, frozen=True):
    """A report of progress."""

    value: object


class _Answer(Struct, frozen=True):
    """The result of the work."""

    value: Any


_Message = _Started | _Progress | _Answer | WorkFailed | WorkLimit


class BoundedProcess:
    """A process for consecutive pieces of work; it starts with the first piece."""

    def __init__(self, *, seconds: float = PROCESSOR_SECONDS, memory: int = MEMORY_BYTES) -> None:
        """Limit the processor time of each piece to `seconds`, and the memory to `memory` bytes."""
        self._seconds = seconds
        self._memory = memory
        self._cancelled = threading.Event()
        self._running: _WorkerProcess | None = None

    def __enter__(self) -> BoundedProcess:
        """Return this object for `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, even in the middle of its work."""
        self.close()

    def cancel(self) -> None:
        """Make `run` raise `WorkCancelled` soon, and every later `run` too. For any thread."""
        self._cancelled.set()

    def close(self) -> None:
        """End the process, even in the middle of its work."""
        if self._running is not None:
            running, self._running = self._running, None
            running.end()

    def run(self, work: Callable[[ReportProgress], R], on_progress: Callable[[Any], None]) -> R:
        """Run `work(report)` in the process and return its result; reports go to `on_progress`.

        The work and its result must be picklable. Raise `LimitReached`, `WorkCancelled` or
        `WorkFailed`; after any of these, the next work gets a new process.
        """
        try:
            if self._running is None:
                self._running = _WorkerProcess(self._memory)
            task = pickle.dumps((work, self._seconds))
            outcome = self._running.run(task, on_progress, self._cancelled)
            if isinstance(outcome, WorkFailed):
                raise outcome
            if isinstance(outcome, WorkLimit):
                raise LimitReached(outcome)
        except BaseException:
            self.close()
            raise
        answer: R = outcome.value
        return answer


class _WorkerProcess:
    """The worker process, as seen from this one."""

    def __init__(self, memory: int) -> None:
        """Start the process. Raise `LimitReached` if the system cannot create it."""
        context = multiprocessing.get_context("spawn")
        try:
            self._tasks, self._messages = context.Pipe(duplex=False), context.Pipe(duplex=False)
            self._process = context.Process(
                target=_serve, args=(self._tasks[0], self._messages[1], memory), daemon=True
            )
            with interrupts_blocked():
                self._process.start()
        except OSError:
            raise LimitReached(WorkLimit.NOT_STARTED) from None
        self._started = False
        self._tasks[0].close()
        self._messages[1].close()

    def run(
        self, task: bytes, on_progress: Callable[[Any], None], cancelled: threading.Event
    ) -> _Answer | WorkFailed | WorkLimit:
        deadline = time.monotonic() + LONGEST_WORK_SECONDS
        try:
            self._tasks[1].send_bytes(task)
            while time.monotonic() < deadline:
                if cancelled.is_set():
                    raise WorkCancelled
                if self._messages[0].poll(PROGRESS_SECONDS):
                    message: _Message = self._messages[0].recv()
                    if isinstance(message, _Started):
                        self._started = True
                    elif isinstance(message, _Progress):
                        on_progress(message.value)
                    else:
                        return message
        except (EOFError, ConnectionError):
            return self._why_it_ended()
        return WorkLimit.TIME

    def _why_it_ended(self) -> WorkFailed | WorkLimit:
        """Return why the process ended without an answer."""
        self._process.join()
        code = self._process.exitcode
        if code == OUT_OF_TIME:
            return WorkLimit.TIME
        if code is not None and was_killed(code):
            return WorkLimit.KILLED
        # Without memory, Python may fail even at reporting that.
        return WorkLimit.MEMORY if self._started else WorkLimit.NOT_STARTED

    def end(self) -> None:
        if self._process.exitcode is None and self._process.pid is not None:
            # Its group holds its copies, too (forked_work.py).
            kill_group(self._process.pid)
        self._process.kill()
        self._process.join()
        self._process.close()
        self._tasks[1].close()
        self._messages[0].close()


# ---- in the other process ---------------------------------------------------------------------


def _serve(tasks: Connection, messages: Connection, memory: int) -> NoReturn:
    """Do one piece of work after the other. Never returns."""
    try:
        signals.ignore_interrupts()
        begin_group()
        _redirect_streams()
        messages.send(_Started())
        limit_memory(memory)
        while True:
            work, seconds = pickle.loads(tasks.recv_bytes())  # noqa: S301 - our own
            messages.send(_result_of(work, _Clock(messages, seconds)))
    except BaseException:  # noqa: BLE001 - no memory is left, or the caller is gone
        os._exit(0)


def _redirect_streams() -> None:
    """Discard all output, and close inherited pipes that other programs wait for."""
    null = files.open_null()
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    if null > 2:
        os.close(null)


def _result_of(work: Callable[[ReportProgress], object], clock: _Clock) -> _Message:
    limit_processor(time.process_time() + clock.seconds + GRACE_SECONDS)
    try:
        return _Answer(work(clock.report))
    except TooLong:
        return WorkLimit.TIME
    except (MemoryError, RecursionError):
        return WorkLimit.MEMORY
    except Exception:  # noqa: BLE001 - sent to the caller
        return WorkFailed(traceback.format_exc())


class _Clock:
    """Sends the progress of the work at a limited rate, and ends the work when its time is over."""

    def __init__(self, messages: Connection, seconds: float) -> None:
        self.seconds = seconds
        self._messages = messages
        self._ends_at = spent_seconds() + seconds
        self._next_report = 0.0

    def report(self, value: object) -> None:
        if spent_seconds() > self._ends_at:
            raise TooLong
        now = time.monotonic()
        if now >= self._next_report:
            self._next_report = now + PROGRESS_SECONDS
            self._messages.send(_Progress(value))
