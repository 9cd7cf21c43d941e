"""Checks a transcript without holding up the window: `lanuno.store.verification`, awaited.

No Qt here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from lanuno.store.bounded_process import MEMORY, SECONDS
from lanuno.store.verification import Outcome, Verifier


async def verify(
    path: Path,
    me: bytes | None,
    progress: Callable[[float], None],
    *,
    seconds: float = SECONDS,
    memory: int = MEMORY,
) -> Outcome:
    """Check the transcript at `path`; `progress` is told a share from 0 to 1, from any thread.

    `me`: the public key whose seat is "mine". Cancelling ends the work at once.
    """

    def told(share: float, _done: int, _total: int) -> None:
        progress(share)

    def work() -> Outcome:
        with verifier:
            return verifier.check(path, told, story=True, me=me)

    verifier = Verifier(seconds=seconds, memory=memory)
    try:
        return await asyncio.to_thread(work)
    finally:
        verifier.give_up()
