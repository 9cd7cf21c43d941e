"""Finish work, such as closing sockets, even if the awaiting task is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

Result = TypeVar("Result")


async def to_completion(work: Coroutine[object, object, Result]) -> Result:
    """Run `work` to its end. A cancellation that arrives meanwhile is raised afterwards.

    A task may be cancelled, even repeatedly, while it closes what it has opened. Only the end of
    the event loop, which cancels every task, interrupts the work itself.
    """
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            cancelled = True
    if cancelled and not task.cancelled():
        raise asyncio.CancelledError from task.exception()
    return task.result()
