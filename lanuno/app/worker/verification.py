"""Checks a transcript in a process of its own, so that no file can hold up or hurt the app.

That process has as much time as the command gives a file and, where the system can set one, a limit
on its memory; it opens the one file and no connection. What it makes of the file comes back as
frozen values. No Qt here.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from lanuno.cli.time_limit import SECONDS, TooLong, in_time
from lanuno.log.audit import Report, audit, unreadable
from lanuno.log.faults import LogError, Unreadable, Verdict
from lanuno.log.story import Story, tell
from lanuno.log.transcript import MAX_FILE_BYTES, Transcript, read
from lanuno.store.durable import read_bounded
from lanuno.store.errors import Problem, StoreError

PATIENCE: Final = 600.0
"""Seconds after which a process is given up that has not even used its time: on this computer
nothing goes on.
"""

MEMORY: Final = 1024 * 1024 * 1024
TELL_EVERY: Final = 0.05
"""Seconds between two words about how far it is."""

AUDIT_SHARE: Final = 0.9
"""Of the whole work; the rest is telling the story."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a file holds."""

    report: Report
    story: Story | None
    """None where there is nothing to tell."""
    mine: int | None
    """The seat that belongs to whoever asked."""
    size: int
    """Bytes of the file."""


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Why there is no verdict."""

    problem: Problem | None
    """What is wrong with the file on the disk; None if checking it took too much."""


Outcome = Verified | Unchecked
_Word = float | Verified | Unchecked


async def verify(
    path: Path,
    me: bytes | None,
    progress: Callable[[float], None],
    *,
    seconds: float = SECONDS,
    memory: int = MEMORY,
) -> Outcome:
    """Check the transcript at `path`; `progress` is told a share from 0 to 1, from any thread.

    `me`: the public key whose seat is "mine". Cancelling ends the work at once.
    """
    given_up = threading.Event()
    try:
        return await asyncio.to_thread(_watch, path, me, progress, seconds, memory, given_up)
    finally:
        given_up.set()


def _watch(
    path: Path,
    me: bytes | None,
    progress: Callable[[float], None],
    seconds: float,
    memory: int,
    given_up: threading.Event,
) -> Outcome:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(there, path, me, memory, seconds), daemon=True)
    process.start()
    there.close()
    deadline = time.monotonic() + PATIENCE
    try:
        while not given_up.is_set() and time.monotonic() < deadline:
            if here.poll(TELL_EVERY):
                word: _Word = here.recv()
                if not isinstance(word, float):
                    return word
                progress(word)
    except EOFError:
        pass  # it came to its end without a word: it took more than it may
    finally:
        process.kill()
        process.join()
        process.close()
        here.close()
    return Unchecked(None)


def _work(tell_it: Connection, path: Path, me: bytes | None, memory: int, seconds: float) -> None:
    """In the other process."""
    _limit(memory, seconds)
    with contextlib.suppress(MemoryError, RecursionError, OSError, TooLong):
        tell_it.send(_outcome(path, me, _Ticker(tell_it, seconds)))
    tell_it.close()


def _limit(memory: int, seconds: float) -> None:
    try:
        import resource
    except ImportError:  # not on this system: the time is limited all the same
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # For what is never looked at in between.
    most = math.ceil(SECONDS + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    # Nothing of what goes wrong here is written to anybody's disk.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _Ticker:
    """Says how far it is, not too often."""

    def __init__(self, tell_it: Connection, seconds: float) -> None:
        self._tell_it = tell_it
        self._last = 0.0
        self._look_at_time = in_time(lambda _done, _total: None, seconds)

    def share(self, base: float, part: float) -> Callable[[int, int], None]:
        """For one of the parts of the work."""

        def told(done: int, total: int) -> None:
            self._look_at_time(done, total)
            now = time.monotonic()
            if now - self._last >= TELL_EVERY:
                self._last = now
                self._tell_it.send(base + part * done / max(1, total))

        return told


def _outcome(path: Path, me: bytes | None, ticker: _Ticker) -> Outcome:
    try:
        data = read_bounded(path, MAX_FILE_BYTES)
    except StoreError as error:
        return Unchecked(error.problem)
    if data is None:
        return Unchecked(Problem.NOT_READABLE)
    try:
        transcript = read(data)
    except Unreadable as error:
        return Verified(unreadable(str(error)), None, None, len(data))
    report = audit(transcript, ticker.share(0.0, AUDIT_SHARE))
    story, mine = None, None
    if report.verdict is not Verdict.UNREADABLE or report.entries:
        with contextlib.suppress(LogError):
            told = ticker.share(AUDIT_SHARE, 1 - AUDIT_SHARE)
            story = tell(transcript, report.entries, told)
            mine = _seat_of(transcript, me)
    return Verified(report, story, mine, len(data))


def _seat_of(transcript: Transcript, me: bytes | None) -> int | None:
    seats = transcript.genesis.read().seats
    return next((number for number, seat in enumerate(seats) if seat.identity == me), None)
