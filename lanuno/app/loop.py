"""The thread in which asyncio runs: everything with a socket, a disk or a clock. No Qt here.

Only `bridge.py` hands work in.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from lanuno.net.runtime.loop_monitor import watch_loop
from lanuno.store.logfile import sum_up_logs

T = TypeVar("T")

CLOSE_SECONDS: Final = 8.0
"""How long leaving tables and closing files may take before the program ends all the same."""


class LoopThread:
    """An event loop on a thread of its own, from `start` to `close`."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._end = asyncio.Event()
        self._is_running: weakref.WeakSet[Coroutine[Any, Any, Any]] = weakref.WeakSet()
        """What was handed in, as long as it runs."""
        self._thread = threading.Thread(target=self._run, name="lanuno-asyncio", daemon=True)

    def start(self) -> None:
        """Start the thread; returns when it can take work."""
        self._thread.start()
        self._ready.wait()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine there. Once closed, it is not run and the future is cancelled."""
        loop = self._loop
        if loop is None or loop.is_closed():
            work.close()
            never: Future[T] = Future()
            never.cancel()
            return never
        self._is_running.add(work)
        return asyncio.run_coroutine_threadsafe(work, loop)

    def close(self) -> None:
        """Cancel what runs, wait for it, and end the thread."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        loop.call_soon_threadsafe(self._end.set)
        self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            runner.run(self._live())

    async def _live(self) -> None:
        self._loop = asyncio.get_running_loop()
        punctuality = watch_loop(sum_up_logs)
        self._ready.set()
        await self._end.wait()
        punctuality.stop()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        # What was handed in first: it ends what it has begun itself, in its own order.
        await _end({task for task in others if task.get_coro() in self._is_running})
        await _end(asyncio.all_tasks() - {asyncio.current_task()})


async def _end(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
