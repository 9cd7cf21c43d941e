"""The thread that runs asyncio: everything with a socket, a disk or a clock. No Qt here.

Only `bridge.py` submits work.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from lanuno.net.runtime.loop_monitor import LoopMonitor
from lanuno.store.logfile import sum_up_logs
from lanuno.system.event_loop import run_in_loop

T = TypeVar("T")

CLOSE_SECONDS: Final = 8.0
"""Time limit for leaving tables and closing files; then the program ends in any case."""


class LoopThread:
    """An event loop on its own thread, from `start` to `close`."""

    def __init__(self) -> None:
        """Create the thread without starting it."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._end = asyncio.Event()
        self._is_running: weakref.WeakSet[Coroutine[Any, Any, Any]] = weakref.WeakSet()
        """Submitted coroutines, for as long as they run."""
        self._thread = threading.Thread(target=self._run, name="lanuno-asyncio", daemon=True)

    def start(self) -> None:
        """Start the thread, and return once it accepts work."""
        self._thread.start()
        self._ready.wait()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the thread. After `close` it does not run: the future is cancelled."""
        loop = self._loop
        if loop is None or loop.is_closed():
            work.close()
            never: Future[T] = Future()
            never.cancel()
            return never
        self._is_running.add(work)
        return asyncio.run_coroutine_threadsafe(work, loop)

    def close(self) -> None:
        """Cancel all tasks, wait for them up to `CLOSE_SECONDS`, and end the thread."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        loop.call_soon_threadsafe(self._end.set)
        self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        run_in_loop(self._live())

    async def _live(self) -> None:
        self._loop = asyncio.get_running_loop()
        punctuality = LoopMonitor(sum_up_logs)
        self._ready.set()
        await self._end.wait()
        punctuality.stop()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        # Submitted coroutines first: each ends the tasks that it has started, in its own order.
        await _end({task for task in others if task.get_coro() in self._is_running})
        await _end(asyncio.all_tasks() - {asyncio.current_task()})


async def _end(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
