"""One event loop for a command, and what Ctrl-C does to it.

The first one leaves cleanly. The second one cancels what is still running. The third one ends the
program at once: the files then lack at most the last record.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from typing import TypeVar

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput
from lanuno.net.runtime.loop_monitor import watch_loop
from lanuno.store.logfile import sum_up_logs

T = TypeVar("T")

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a polite kill, and a terminal that is closed."""


class Interruption:
    """Whether the user asked to stop, and what to do then."""

    def __init__(self) -> None:
        self.requested = False
        self._requested_again = False
        self._actions: list[Callable[[], object]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._out: CommandOutput | None = None
        self._main = asyncio.current_task()

    def on_stop(self, action: Callable[[], object]) -> None:
        """Do this when the user asks to stop; at once if that has happened."""
        if self.requested:
            action()
        else:
            self._actions.append(action)

    def run_on_stop(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Run this coroutine when the user asks to stop; the command waits for it to end."""

        def start() -> None:
            self._tasks.add(asyncio.get_running_loop().create_task(work()))

        self.on_stop(start)

    def leave_on_stop(
        self,
        out: CommandOutput,
        leave: Callable[[], Coroutine[object, object, None]],
        at_table: Callable[[], bool],
    ) -> None:
        """Leave a table when the user asks to stop, or when the output is closed.

        Say so if `at_table`: before, it is only looked for.
        """

        def show() -> None:
            if at_table():
                out.progress("table.leaving")

        self.run_on_stop(leave)
        self.on_stop(show)
        self._out, out.when_lost = out, self.terminal_closed

    async def unless_stopped(self, work: Coroutine[object, object, T]) -> T | None:
        """The result of this coroutine; None, and it is cancelled, if the user asks to stop."""
        task = asyncio.ensure_future(work)
        cancel = task.cancel
        self.on_stop(cancel)
        try:
            await asyncio.wait((task,))
        finally:
            if not self.requested:
                self._actions.remove(cancel)
            if not task.done():
                cancel()
                await asyncio.wait((task,))
        return None if task.cancelled() else task.result()

    def request_stop(self) -> None:
        """The user asks to stop, or asks again."""
        if self._requested_again:
            os._exit(ExitCode.INTERRUPTED)
        if self.requested:
            self._requested_again = True
            if self._main is not None:
                self._main.cancel()
            return
        self.requested = True
        for action in self._actions:
            action()

    def terminal_closed(self) -> None:
        """The terminal or the reader is gone. It is noticed in several ways, and counts once."""
        if not self.requested:
            self.request_stop()

    async def finish(self) -> None:
        """Wait for the coroutines that `run_on_stop` has started."""
        if self._tasks:
            await asyncio.wait(self._tasks)
            for task in self._tasks:
                if not task.cancelled():
                    task.result()

    def detach_output(self) -> None:
        """No table is left to leave: a closed output does nothing from now on."""
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
            on_signal = (
                interruption.terminal_closed
                if number == signal.SIGHUP
                else interruption.request_stop
            )
            loop.add_signal_handler(number, on_signal)
        punctuality = watch_loop(sum_up_logs)
        try:
            results.append(await main(interruption))
            await interruption.finish()
        except asyncio.CancelledError:
            results.clear()
        finally:
            punctuality.stop()
            interruption.detach_output()
            for number, handler in before.items():
                loop.remove_signal_handler(number)
                signal.signal(number, handler)

    with asyncio.Runner() as runner:
        runner.run(guarded())
    if not results:
        raise KeyboardInterrupt
    return results[0]
