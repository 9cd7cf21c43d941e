"""One event loop for a command, and what Ctrl-C does to it: first leave cleanly, then at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import TypeVar

T = TypeVar("T")


class Interruption:
    """Whether the user asked to stop, and what to do when that happens."""

    def __init__(self) -> None:
        self.asked = False
        self._then: list[Callable[[], None]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def then(self, action: Callable[[], None]) -> None:
        """Do this when the user asks to stop; at once if that has happened."""
        if self.asked:
            action()
        else:
            self._then.append(action)

    def then_run(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """The same for something that takes a while."""

        def start() -> None:
            task = asyncio.get_running_loop().create_task(work())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        self.then(start)

    def ask(self) -> None:
        """The user asks to stop; a second time is not waited for."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        for action in self._then:
            action()


def run(main: Callable[[Interruption], Coroutine[object, object, T]]) -> T:
    """Run a command's coroutine; Ctrl-C and a polite kill ask it to stop."""

    async def guarded() -> T:
        interruption = Interruption()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, interruption.ask)
        try:
            return await main(interruption)
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)

    with asyncio.Runner() as runner:
        return runner.run(guarded())
