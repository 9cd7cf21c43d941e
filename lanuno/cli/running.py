"""One event loop for a command, and what Ctrl-C does to it.

The first one asks to leave cleanly, the second one leaves whatever is half done, the third one ends
the program on the spot: what is on disk then is what was there before the last record.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from typing import TypeVar

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Output
from lanuno.net.late_loop import watch_loop
from lanuno.store.logfile import sum_up_logs

T = TypeVar("T")

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a polite kill, and a terminal that is closed."""


class Interruption:
    """Whether the user asked to stop, and what to do when that happens."""

    def __init__(self) -> None:
        self.asked = False
        self._asked_again = False
        self._then: list[Callable[[], object]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._out: Output | None = None
        self._main = asyncio.current_task()

    def then(self, action: Callable[[], object]) -> None:
        """Do this when the user asks to stop; at once if that has happened."""
        if self.asked:
            action()
        else:
            self._then.append(action)

    def then_run(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """The same for something that takes a while; the command does not end before it."""

        def start() -> None:
            self._tasks.add(asyncio.get_running_loop().create_task(work()))

        self.then(start)

    def then_leave(self, out: Output, leave: Callable[[], Coroutine[object, object, None]]) -> None:
        """The same for a table: whoever reads hears of it; where nobody does any more, too."""
        self.then_run(leave)
        self.then(lambda: out.progress("table.leaving"))
        self._out, out.when_lost = out, self.hang_up

    async def unless_asked(self, work: Coroutine[object, object, T]) -> T | None:
        """What this comes to; None, and it is cancelled, once the user asks to stop."""
        task = asyncio.ensure_future(work)
        cancel = task.cancel
        self.then(cancel)
        try:
            await asyncio.wait((task,))
        finally:
            if not self.asked:
                self._then.remove(cancel)
            if not task.done():
                cancel()
                await asyncio.wait((task,))
        return None if task.cancelled() else task.result()

    def ask(self) -> None:
        """The user asks to stop, or asks again."""
        if self._asked_again:
            os._exit(ExitCode.INTERRUPTED)
        if self.asked:
            self._asked_again = True
            if self._main is not None:
                self._main.cancel()
            return
        self.asked = True
        for action in self._then:
            action()

    def hang_up(self) -> None:
        """Nobody is there any more. Noticed in more than one way, so not a second wish."""
        if not self.asked:
            self.ask()

    async def finish(self) -> None:
        """Wait for what was begun by `then_run`."""
        if self._tasks:
            await asyncio.wait(self._tasks)
            for task in self._tasks:
                if not task.cancelled():
                    task.result()

    def end(self) -> None:
        """Nothing runs any more that could be left: a reader that goes now is just gone."""
        if self._out is not None:
            self._out.when_lost = None


def run(main: Callable[[Interruption], Coroutine[object, object, T]]) -> T:
    """Run a command's coroutine; each of `SIGNALS` asks it to stop.

    Raises `KeyboardInterrupt` if it was asked twice.
    """
    results: list[T] = []

    async def guarded() -> None:
        interruption = Interruption()
        loop = asyncio.get_running_loop()
        before = {number: signal.getsignal(number) for number in SIGNALS}
        if before[signal.SIGHUP] is signal.SIG_IGN:
            # With nohup a command is meant to outlive its terminal.
            del before[signal.SIGHUP]
        for number in before:
            wish = interruption.hang_up if number == signal.SIGHUP else interruption.ask
            loop.add_signal_handler(number, wish)
        punctuality = watch_loop(sum_up_logs)
        try:
            results.append(await main(interruption))
            await interruption.finish()
        except asyncio.CancelledError:
            results.clear()
        finally:
            punctuality.stop()
            interruption.end()
            for number, handler in before.items():
                loop.remove_signal_handler(number)
                signal.signal(number, handler)

    with asyncio.Runner() as runner:
        runner.run(guarded())
    if not results:
        raise KeyboardInterrupt
    return results[0]
