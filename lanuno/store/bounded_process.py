"""Runs work on foreign bytes in a process of its own, with limits on its time and its memory.

Whatever the bytes hold, the program that asked goes on: the process answers, or it is ended and the
caller is told which limit it reached. It works for one caller, one piece of work after the other; a
process that was ended is replaced for the next piece. The memory is limited where the system can do
so, and the processor's time too, for work that does not look at its time for long.
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
from multiprocessing.connection import Connection
from typing import Any, Final, NoReturn, TypeVar

SECONDS: Final = 30.0
"""Of the processor's time for one piece of work; checking a match that people play takes a few."""

MEMORY: Final = 1024 * 1024 * 1024
"""Bytes that the process may use in all."""

PATIENCE: Final = 600.0
"""Seconds after which a process is given up that has not even used its time: on this computer
nothing goes on."""

TELL_EVERY: Final = 0.05
"""Seconds between two words about how far the work is."""

GRACE: Final = 30.0
"""Of the processor's time, for what is not looked at in between, before the system ends it."""

_OUT_OF_MEMORY: Final = 3
"""Exit code of a process that could not even say so."""

R = TypeVar("R")
Tell = Callable[[object], None]
"""Called by the work with how far it is, often; it does not return once the time is over."""


class Limit(Enum):
    """What a piece of work needed more of than it is given."""

    TIME = "time"
    MEMORY = "memory"


class LimitReached(Exception):
    """The work was given up because of a limit."""

    def __init__(self, limit: Limit) -> None:
        """Say which one."""
        super().__init__(limit.value)
        self.limit = limit


class GivenUp(Exception):
    """The caller does not want the answer any more."""


class WorkFailed(Exception):
    """A mistake of the program: the work raised something; its traceback is in the text."""


class TooLong(BaseException):
    """Ends the work, in its process, once its time is over."""


@dataclass(frozen=True, slots=True)
class _Said:
    """How far the work is."""

    word: object


@dataclass(frozen=True, slots=True)
class _Answer:
    """What came of it."""

    value: Any


@dataclass(frozen=True, slots=True)
class _Failed:
    """It raised an error."""

    text: str


_Word = _Said | _Answer | _Failed | Limit


class BoundedProcess:
    """A process for one piece of work after the other; nothing is started before the first."""

    def __init__(self, *, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        """`seconds`: of the processor's time for each piece. `memory`: bytes in all."""
        self._seconds = seconds
        self._memory = memory
        self._given_up = threading.Event()
        self._running: _Running | None = None

    def __enter__(self) -> BoundedProcess:
        """For `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, also in the middle of its work."""
        self.close()

    def give_up(self) -> None:
        """Have `run` raise `GivenUp` soon. From any thread."""
        self._given_up.set()

    def close(self) -> None:
        """End the process, also in the middle of its work."""
        if self._running is not None:
            running, self._running = self._running, None
            running.end()

    def run(self, work: Callable[[Tell], R], told: Callable[[Any], None]) -> R:
        """What `work(tell)` returns, done in the process; `told` hears what it tells.

        The work can be pickled, and so can what comes back. Raises `LimitReached`, `GivenUp` and
        `WorkFailed`; after any of them the next work gets another process.
        """
        try:
            if self._running is None:
                self._running = _Running(self._memory)
            task = pickle.dumps((work, self._seconds))
            found = self._running.ask(task, told, self._given_up)
        except BaseException:
            self.close()
            raise
        if isinstance(found, _Answer):
            answer: R = found.value
            return answer
        self.close()
        if isinstance(found, _Failed):
            raise WorkFailed(found.text)
        raise LimitReached(found)


class _Running:
    """The process, from this side."""

    def __init__(self, memory: int) -> None:
        """Start it; raises `LimitReached` where the system gives no process."""
        context = multiprocessing.get_context("spawn")
        try:
            self._tasks, self._words = context.Pipe(duplex=False), context.Pipe(duplex=False)
            self._process = context.Process(
                target=_serve, args=(self._tasks[0], self._words[1], memory), daemon=True
            )
            with _no_interruption():
                self._process.start()
        except OSError:
            raise LimitReached(Limit.MEMORY) from None
        self._tasks[0].close()
        self._words[1].close()

    def ask(
        self, task: bytes, told: Callable[[Any], None], given_up: threading.Event
    ) -> _Answer | _Failed | Limit:
        deadline = time.monotonic() + PATIENCE
        try:
            self._tasks[1].send_bytes(task)
            while time.monotonic() < deadline:
                if given_up.is_set():
                    raise GivenUp
                if self._words[0].poll(TELL_EVERY):
                    word: _Word = self._words[0].recv()
                    if not isinstance(word, _Said):
                        return word
                    told(word.word)
        except (EOFError, ConnectionError):
            return self._why_it_ended()
        return Limit.TIME

    def _why_it_ended(self) -> _Failed | Limit:
        """It came to its end without a word."""
        self._process.join()
        code = self._process.exitcode
        if code == -getattr(signal, "SIGXCPU", 0):
            return Limit.TIME
        if code == 1:
            return _Failed("the process did not come to its work")
        return Limit.MEMORY

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._process.close()
        self._tasks[1].close()
        self._words[0].close()


@contextlib.contextmanager
def _no_interruption() -> Iterator[None]:
    """What is started meanwhile hears no Ctrl+C: it is ended by who started it, without a trace."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- in the other process ---------------------------------------------------------------------


def _serve(tasks: Connection, words: Connection, memory: int) -> NoReturn:
    """Do one piece of work after the other; never returns."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _keep_quiet()
        limit_memory(memory)
        while True:
            work, seconds = pickle.loads(tasks.recv_bytes())  # noqa: S301 - our own
            words.send(_done(work, _Clock(words, seconds)))
    except (MemoryError, RecursionError):
        os._exit(_OUT_OF_MEMORY)
    except BaseException:  # noqa: BLE001 - nobody listens any more, or nothing can be said
        os._exit(0)


def _keep_quiet() -> None:
    """Nothing is written here, nor is a pipe kept open that others wait for."""
    nobody = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nobody, stream)
    if nobody > 2:
        os.close(nobody)


def _done(work: Callable[[Tell], object], clock: _Clock) -> _Word:
    limit_processor(time.process_time() + clock.seconds + GRACE)
    try:
        return _Answer(work(clock.tell))
    except TooLong:
        return Limit.TIME
    except (MemoryError, RecursionError):
        return Limit.MEMORY
    except Exception:  # noqa: BLE001 - told to who asked
        return _Failed(traceback.format_exc())


class _Clock:
    """Passes on how far the work is, not too often, and ends it when its time is over."""

    def __init__(self, words: Connection, seconds: float) -> None:
        self.seconds = seconds
        self._words = words
        self._ends = time.process_time() + seconds
        self._next = 0.0

    def tell(self, word: object) -> None:
        if time.process_time() > self._ends:
            raise TooLong
        now = time.monotonic()
        if now >= self._next:
            self._next = now + TELL_EVERY
            self._words.send(_Said(word))


def limit_memory(most: int) -> None:
    """Let this process use no more memory, where the system can see to it."""
    _limit("RLIMIT_AS", most, for_good=True)
    # Nothing of what goes wrong here is written to anybody's disk.
    _limit("RLIMIT_CORE", 0, for_good=True)


def limit_processor(seconds: float) -> None:
    """Let the system end this process when it has used so much of the processor in all."""
    _limit("RLIMIT_CPU", math.ceil(seconds), for_good=False)


def _limit(name: str, most: int, *, for_good: bool) -> None:
    """Not above a limit that stands already; nothing where the system has none of this name."""
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(AttributeError, ValueError, OSError):
        what = getattr(resource, name)
        _, hard = resource.getrlimit(what)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (soft, soft if for_good else hard))
