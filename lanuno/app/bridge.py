"""The only file that crosses threads: from the GUI to asyncio, and back.

There, a coroutine is handed over. Back, frozen values stand in a queue, and one queued signal wakes
the GUI thread to take them. Values must not be changed once they were handed over, and no QObject
may ever be among them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from lanuno.app.loop import LoopThread

T = TypeVar("T")


class BridgeJob(Generic[T]):
    """A coroutine that runs on the asyncio thread. Its result arrives on the GUI thread."""

    def __init__(self, future: Future[T]) -> None:
        """Take over a future of the other thread."""
        self.future = future
        self.wanted = True

    def cancel(self) -> None:
        """Cancel it; its callbacks are not called any more."""
        self.wanted = False
        self.future.cancel()

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return not self.future.done()


class Bridge(QObject):
    """Carries work to the asyncio thread, and what comes of it back to this one."""

    _woken = Signal()
    failed = Signal(object)
    """Work ended with an exception for which nobody had asked: a mistake of the program."""

    def __init__(self, loop: LoopThread, parent: QObject | None = None) -> None:
        """Belongs to the GUI thread."""
        super().__init__(parent)
        self._loop = loop
        self._waiting: deque[Callable[[], None]] = deque()
        self._closed = False
        self._woken.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        work: Coroutine[Any, Any, T],
        done: Callable[[T], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> BridgeJob[T]:
        """Run this there; then call `done` with what it returned, or `failed`, here."""
        future = self._loop.submit(work)
        job = BridgeJob(future)
        future.add_done_callback(lambda _: self._post(partial(self._end, job, done, failed)))
        return job

    def back(self, receive: Callable[[T], None]) -> Callable[[T], None]:
        """A function for the other thread: whatever it is called with is received here, in order.

        The values must be frozen.
        """
        return lambda value: self._post(partial(receive, value))

    def close(self) -> None:
        """Receive nothing any more."""
        self._closed = True
        self._waiting.clear()

    def _post(self, call: Callable[[], None]) -> None:
        """From any thread."""
        if not self._closed:
            self._waiting.append(call)
            self._woken.emit()

    def _take(self) -> None:
        """On the GUI thread: one value for each waking, so that painting comes in between."""
        # The other thread may have been about to hand something over when this was closed.
        if self._waiting and not self._closed:
            self._waiting.popleft()()

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
