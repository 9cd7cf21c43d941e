"""The only module that passes values between the GUI thread and the asyncio thread.

To the asyncio thread it submits coroutines. In the other direction, frozen values wait in a queue,
and one queued signal per value wakes the GUI thread. A value must not change after it was passed,
and must never contain a QObject. Of states of a waiting room in a row only the newest waits,
because a host can send them faster than a window shows them.
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
from lanuno.table.messages import LobbyState

T = TypeVar("T")


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
        self._waiting: deque[Callable[[], None]] = deque()
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
        future.add_done_callback(lambda _: self._post(partial(self._end, job, done, failed)))
        return job

    def back(self, receive: Callable[[T], None]) -> Callable[[T], None]:
        """Return a function for the asyncio thread that passes its argument to `receive` here.

        The order is kept. The values must be frozen.
        """
        return lambda value: self._post(partial(receive, value), newest=type(value) is LobbyState)

    def close(self) -> None:
        """Drop waiting values, and receive no more."""
        self._closed = True
        with self._lock:
            self._waiting.clear()

    def _post(self, call: Callable[[], None], *, newest: bool = False) -> None:
        """Queue a call for the GUI thread, from any thread.

        `newest`: instead of the last waiting call, if that passes on an earlier state of this kind.
        """
        if self._closed:
            return
        with self._lock:
            if newest and self._waiting and _same_kind(self._waiting[-1], call):
                self._waiting[-1] = call
                return
            self._waiting.append(call)
        self._woken.emit()

    def _take(self) -> None:
        """Make one queued call on the GUI thread, so that painting comes in between."""
        with self._lock:
            # The other thread may have queued a call just as the bridge was closed.
            call = self._waiting.popleft() if self._waiting and not self._closed else None
        if call is not None:
            call()

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


def _same_kind(earlier: Callable[[], None], call: Callable[[], None]) -> bool:
    """Whether two calls pass values of one type to one function."""
    return (
        isinstance(earlier, partial)
        and isinstance(call, partial)
        and earlier.func == call.func
        and list(map(type, earlier.args)) == list(map(type, call.args))
    )
