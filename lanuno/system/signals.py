"""Requests of the user and the system to end: Ctrl-C, a regular kill, a closed terminal.

On Windows a regular kill cannot be noticed, and Ctrl-Break stands for a closed terminal.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Final

if sys.platform == "win32":
    CLOSED_TERMINAL: Final = signal.SIGBREAK
else:
    CLOSED_TERMINAL: Final = signal.SIGHUP
REQUESTS: Final = (signal.SIGINT, signal.SIGTERM, CLOSED_TERMINAL)


@contextlib.contextmanager
def handled(handle: Callable[[int], object]) -> Iterator[None]:
    """Call `handle` with the number of each of `REQUESTS`, in the main thread, in this context.

    One that is ignored when the context begins stays ignored: under nohup, a command is meant to
    outlive its terminal.
    """
    before = {number: signal.getsignal(number) for number in REQUESTS}
    if before[CLOSED_TERMINAL] is signal.SIG_IGN:
        del before[CLOSED_TERMINAL]
    try:
        for number in before:
            signal.signal(number, lambda found, _frame: handle(found))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if sys.platform == "win32":

    def request_end() -> None:
        signal.raise_signal(signal.SIGTERM)

else:

    def request_end() -> None:
        """Send this process the request to end, from any thread. It interrupts the main thread."""
        os.kill(os.getpid(), signal.SIGTERM)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C in this process, because its parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
