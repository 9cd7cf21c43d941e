"""Runs a command in one event loop, and handles Ctrl-C.

The first Ctrl-C leaves cleanly. The second cancels everything that still runs. The third ends the
program immediately; the files then lack at most their last record.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from typing import TypeVar

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput
from lanuno.net.runtime.loop_monitor import LoopMonitor
from lanuno.store.logfile import sum_up_logs
from lanuno.system import signals
from lanuno.system.event_loop import run_in_loop, signals_handled

T = TypeVar("T")


class Interruption:
    """Whether the user has asked to stop, and the actions to take then."""

    def __init__(self) -> None:
        self.requested = False
        self._requested_again = False
        self._actions: list[Callable[[], object]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._out: CommandOutput | None = None
        self._main = asyncio.current_task()

    def on_stop(self, action: Callable[[], object]) -> None:
        """Call `action` when the user asks to stop; immediately if that has happened."""
        if self.requested:
            action()
        else:
            self._actions.append(action)

    def run_on_stop(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Run this coroutine when the user asks to stop. The command waits for its end."""

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

        Shows a message only if `at_table`; earlier, the table is only being searched for.
        """

        def show() -> None:
            if at_table():
                out.progress("table.leaving")

        self.run_on_stop(leave)
        self.on_stop(show)
        self._out, out.when_lost = out, self.terminal_closed

    async def unless_stopped(self, work: Coroutine[object, object, T]) -> T | None:
        """Return the result of this coroutine; cancel it and return None on a stop request."""
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
        """Handle the first, second or third request to stop."""
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
        """Stop once, because the terminal or the reader is gone; several signals report that."""
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
        """Let a closed output raise `OutputLost` again: there is no table left to leave."""
        if self._out is not None:
            self._out.when_lost = None


def run(main: Callable[[Interruption], Coroutine[object, object, T]]) -> T:
    """Run a command's coroutine. Each of `signals.REQUESTS` asks it to stop.

    Raises `KeyboardInterrupt` if it was asked twice.
    """
    results: list[T] = []

    async def guarded() -> None:
        interruption = Interruption()

        def asked(number: int) -> None:
            if number == signals.CLOSED_TERMINAL:
                interruption.terminal_closed()
            else:
                interruption.request_stop()

        with signals_handled(asked):
            punctuality = LoopMonitor(sum_up_logs)
            try:
                results.append(await main(interruption))
                await interruption.finish()
            except asyncio.CancelledError:
                results.clear()
            finally:
                punctuality.stop()
                interruption.detach_output()

    run_in_loop(guarded())
    if not results:
        raise KeyboardInterrupt
    return results[0]
