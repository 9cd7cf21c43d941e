"""The only module that passes values between the GUI thread and the asyncio thread.

To the asyncio thread it submits coroutines. In the other direction, frozen values wait in a queue,
and one queued signal per value wakes the GUI thread. A value must not change after it was passed,
and must never contain a QObject. Values that a host can cause faster than a window shows them are
merged while they wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from functools import partial
from threading import RLock
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from lanuno.app.loop import LoopThread

T = TypeVar("T")

Merge = Callable[[Any, Any, int], object]
"""Returns what stands for two values that wait, or None if both are needed. The number is that of
the values that wait."""


def _needs_all(earlier: object, later: object, waiting: int) -> None:
    """Merge nothing."""


class BridgeJob(Generic[T]):
    """A coroutine that runs on the asyncio thread. Its result arrives on the GUI thread."""

    def __init__(self, future: Future[T]) -> None:
        """Wrap a future of the asyncio thread."""
        self.future = future
        self.wanted = True

    def cancel(self) -> None:
        """Cancel the coroutine; its callbacks are not called any more."""
        self.wanted = False
        self.future.cancel()


class Bridge(QObject):
    """Carries work to the asyncio thread, and its results back to the GUI thread."""

    _woken = Signal()
    failed = Signal(object)
    """An exception that no caller of `run` handles: a mistake of the program."""

    def __init__(self, loop: LoopThread) -> None:
        """Create the bridge on the GUI thread."""
        super().__init__()
        self._loop = loop
        self._waiting: deque[tuple[Callable[[Any], None], Any]] = deque()
        """The functions to call here, each with its value."""
        self._lock = RLock()
        """Held to change `_waiting`."""
        self._closed = False
        self._woken.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        work: Coroutine[Any, Any, T],
        done: Callable[[T], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> BridgeJob[T]:
        """Run `work` on the asyncio thread, then call `done` with its result, or `failed`, here."""
        future = self._loop.submit(work)
        job = BridgeJob(future)
        future.add_done_callback(partial(self._post, lambda _: self._end(job, done, failed)))
        return job

    def back(self, receive: Callable[[T], None], merge: Merge = _needs_all) -> Callable[[T], None]:
        """Return a function for the asyncio thread that passes its argument to `receive` here.

        The order is kept. The values must be frozen. `merge` is called for two in a row that wait.
        """
        return lambda value: self._post(receive, value, merge)

    def close(self) -> None:
        """Drop waiting values, and receive no more."""
        self._closed = True
        with self._lock:
            self._waiting.clear()

    def _post(self, receive: Callable[[T], None], value: T, merge: Merge = _needs_all) -> None:
        """Queue a value for the GUI thread, from any thread."""
        if self._closed:
            return
        with self._lock:
            if self._waiting and self._waiting[-1][0] is receive:
                both = merge(self._waiting[-1][1], value, len(self._waiting))
                if both is not None:
                    self._waiting[-1] = receive, both
                    return
            self._waiting.append((receive, value))
        self._woken.emit()

    def _take(self) -> None:
        """Pass on one queued value on the GUI thread, so that painting comes in between."""
        with self._lock:
            # The other thread may have queued a value just as the bridge was closed.
            if self._closed or not self._waiting:
                return
            receive, value = self._waiting.popleft()
        receive(value)

    def _end(
        self,
        job: BridgeJob[T],
        done: Callable[[T], None] | None,
        failed: Callable[[Exception], None] | None,
    ) -> None:
        future = job.future
        if not job.wanted:
            return
        try:
            result = future.result()
        except CancelledError:
            return
        except Exception as error:  # noqa: BLE001 - handed to the caller of `run`
            (failed or self.failed.emit)(error)
            return
        if done is not None:
            done(result)
