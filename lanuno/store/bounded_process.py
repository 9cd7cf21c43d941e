"""Runs work on foreign bytes in a process of its own, with limits on its time and its memory.

Whatever the bytes hold, the caller goes on: the process answers, or it is ended and the caller gets
the limit that it reached. It works for one caller, one piece of work after the other; a process
that was ended is replaced for the next piece. Where the system can, it also limits the memory, and
the processor's time of work that does not check its time.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, Final, NoReturn, TypeVar

PROCESSOR_SECONDS: Final = 30.0
"""Of the processor's time for one piece of work; checking a match that people play takes a few."""

MEMORY_BYTES: Final = 1024 * 1024 * 1024
"""Bytes that the process may use in all."""

LONGEST_WORK_SECONDS: Final = 600.0
"""After this time a process is ended even if it has used little processor time."""

PROGRESS_SECONDS: Final = 0.05
"""Between two reports of progress."""

GRACE_SECONDS: Final = 30.0
"""Additional processor time for work that does not check its time, before the system ends it."""

_OUT_OF_MEMORY: Final = 3
"""Exit code of a process that could not report it."""

R = TypeVar("R")
ReportProgress = Callable[[object], None]
"""Called by the work with its progress, often; it does not return once the time is over."""


class WorkLimit(Enum):
    """What a piece of work needed more of than allowed."""

    TIME = "time"
    MEMORY = "memory"


class LimitReached(Exception):
    """The work was ended because of a limit."""

    def __init__(self, limit: WorkLimit) -> None:
        """`limit`: which one."""
        super().__init__(limit.value)
        self.limit = limit


class WorkCancelled(Exception):
    """The caller has cancelled the work."""


class WorkFailed(Exception):
    """A bug: the work raised an error; its traceback is in the text."""


class TooLong(BaseException):
    """Ends the work, in its process, once its time is over."""


@dataclass(frozen=True, slots=True)
class _Progress:
    """A report of progress."""

    value: object


@dataclass(frozen=True, slots=True)
class _Answer:
    """The result of the work."""

    value: Any


@dataclass(frozen=True, slots=True)
class _Failed:
    """The work raised an error."""

    text: str


_Message = _Progress | _Answer | _Failed | WorkLimit


class BoundedProcess:
    """A process for one piece of work after the other; nothing is started before the first."""

    def __init__(self, *, seconds: float = PROCESSOR_SECONDS, memory: int = MEMORY_BYTES) -> None:
        """`seconds`: of the processor's time for each piece. `memory`: bytes in all."""
        self._seconds = seconds
        self._memory = memory
        self._cancelled = threading.Event()
        self._running: _WorkerProcess | None = None

    def __enter__(self) -> BoundedProcess:
        """For `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, also in the middle of its work."""
        self.close()

    def cancel(self) -> None:
        """Have `run` raise `WorkCancelled` soon. From any thread."""
        self._cancelled.set()

    def close(self) -> None:
        """End the process, also in the middle of its work."""
        if self._running is not None:
            running, self._running = self._running, None
            running.end()

    def run(self, work: Callable[[ReportProgress], R], on_progress: Callable[[Any], None]) -> R:
        """What `work(report)` returns, run in the process; `on_progress` gets its reports.

        The work can be pickled, and so can what comes back. Raises `LimitReached`, `WorkCancelled`
        and `WorkFailed`; after any of them the next work gets another process.
        """
        try:
            if self._running is None:
                self._running = _WorkerProcess(self._memory)
            task = pickle.dumps((work, self._seconds))
            outcome = self._running.run(task, on_progress, self._cancelled)
        except BaseException:
            self.close()
            raise
        if isinstance(outcome, _Answer):
            answer: R = outcome.value
            return answer
        self.close()
        if isinstance(outcome, _Failed):
            raise WorkFailed(outcome.text)
        raise LimitReached(outcome)


class _WorkerProcess:
    """The process, from this side."""

    def __init__(self, memory: int) -> None:
        """Start it; raises `LimitReached` where the system gives no process."""
        context = multiprocessing.get_context("spawn")
        try:
            self._tasks, self._messages = context.Pipe(duplex=False), context.Pipe(duplex=False)
            self._process = context.Process(
                target=_serve, args=(self._tasks[0], self._messages[1], memory), daemon=True
            )
            with _interrupts_blocked():
                self._process.start()
        except OSError:
            raise LimitReached(WorkLimit.MEMORY) from None
        self._tasks[0].close()
        self._messages[1].close()

    def run(
        self, task: bytes, on_progress: Callable[[Any], None], cancelled: threading.Event
    ) -> _Answer | _Failed | WorkLimit:
        deadline = time.monotonic() + LONGEST_WORK_SECONDS
        try:
            self._tasks[1].send_bytes(task)
            while time.monotonic() < deadline:
                if cancelled.is_set():
                    raise WorkCancelled
                if self._messages[0].poll(PROGRESS_SECONDS):
                    message: _Message = self._messages[0].recv()
                    if not isinstance(message, _Progress):
                        return message
                    on_progress(message.value)
        except (EOFError, ConnectionError):
            return self._why_it_ended()
        return WorkLimit.TIME

    def _why_it_ended(self) -> _Failed | WorkLimit:
        """Why the process ended without an answer."""
        self._process.join()
        code = self._process.exitcode
        if code == -getattr(signal, "SIGXCPU", 0):
            return WorkLimit.TIME
        if code == 1:
            return _Failed("the process did not come to its work")
        return WorkLimit.MEMORY

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._process.close()
        self._tasks[1].close()
        self._messages[0].close()


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl+C for a process started meanwhile: this program ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Python's resource tracker would start with the first process, and Python 3.11 unblocks SIGINT
    # as it does.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- in the other process ---------------------------------------------------------------------


def _serve(tasks: Connection, messages: Connection, memory: int) -> NoReturn:
    """Do one piece of work after the other; never returns."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _redirect_streams()
        limit_memory(memory)
        while True:
            work, seconds = pickle.loads(tasks.recv_bytes())  # noqa: S301 - our own
            messages.send(_result_of(work, _Clock(messages, seconds)))
    except (MemoryError, RecursionError):
        os._exit(_OUT_OF_MEMORY)
    except BaseException:  # noqa: BLE001 - the caller is gone, or nothing can be sent
        os._exit(0)


def _redirect_streams() -> None:
    """Write nothing, and keep no pipe open that other programs wait for."""
    null = os.open(os.devnull, os.O_RDWR)
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
        return _Failed(traceback.format_exc())


class _Clock:
    """Sends the progress of the work, not too often, and ends it when its time is over."""

    def __init__(self, messages: Connection, seconds: float) -> None:
        self.seconds = seconds
        self._messages = messages
        self._ends_at = time.process_time() + seconds
        self._next_report = 0.0

    def report(self, value: object) -> None:
        if time.process_time() > self._ends_at:
            raise TooLong
        now = time.monotonic()
        if now >= self._next_report:
            self._next_report = now + PROGRESS_SECONDS
            self._messages.send(_Progress(value))


def limit_memory(most: int) -> None:
    """Limit the memory of this process, where the system can."""
    _limit("RLIMIT_AS", most, for_good=True)
    # No core dump: it could hold what a file contains.
    _limit("RLIMIT_CORE", 0, for_good=True)


def limit_processor(seconds: float) -> None:
    """Let the system end this process after this much processor time in all."""
    _limit("RLIMIT_CPU", math.ceil(seconds), for_good=False)


def _limit(name: str, most: int, *, for_good: bool) -> None:
    """Not above a limit that stands already; nothing where the system has none of this name."""
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(AttributeError, ValueError, OSError):
        limit = getattr(resource, name)
        _, hard = resource.getrlimit(limit)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (soft, soft if for_good else hard))
