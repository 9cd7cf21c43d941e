"""The event loop of asyncio, of the same kind on every system."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from lanuno.system import signals

T = TypeVar("T")


def run_in_loop(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a new event loop, and return its result.

    The loop waits with `select` on Windows: its usual one there cannot watch a socket
    (`add_reader`), and leaves sockets of UDP open.
    """
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(main)


@contextlib.contextmanager
def signals_handled(handle: Callable[[int], object]) -> Iterator[None]:
    """Call `handle` in the running event loop, as `signals.handled` does."""
    loop = asyncio.get_running_loop()
    # Waiting for sockets is not interrupted by a signal on Windows, so each signal sends a byte.
    receiver, sender = socket.socketpair()
    with receiver, sender, signals.handled(lambda number: loop.call_soon(handle, number)):
        receiver.setblocking(False)
        sender.setblocking(False)
        before = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
        loop.add_reader(receiver, receiver.recv, 4096)
        try:
            yield
        finally:
            loop.remove_reader(receiver)
            signal.set_wakeup_fd(before)
