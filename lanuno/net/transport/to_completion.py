"""Work that is finished although the task that awaits it was cancelled, as closing sockets is."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

Result = TypeVar("Result")


async def to_completion(work: Coroutine[object, object, Result]) -> Result:
    """Do this; a cancellation that comes meanwhile is raised once it is done.

    A task may be cancelled while it closes what it has opened, for another reason or once more.
    Only the end of the event loop, which cancels every task, breaks off the work itself.
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
