"""Verifies a transcript without blocking the window: an awaitable `lanuno.store.verification`.

No Qt here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from lanuno.store.verification import VerificationResult, Verifier
from lanuno.system.bounded_process import MEMORY_BYTES, PROCESSOR_SECONDS


async def verify_transcript(
    path: Path,
    me: bytes | None,
    progress: Callable[[float], None],
    *,
    seconds: float = PROCESSOR_SECONDS,
    memory: int = MEMORY_BYTES,
) -> VerificationResult:
    """Check the transcript at `path`. `progress` receives a share from 0 to 1, on any thread.

    `me`: the public key whose seat is "mine". Cancellation ends the work immediately.
    """

    def report_progress(share: float, _done: int, _total: int) -> None:
        progress(share)

    def work() -> VerificationResult:
        with verifier:
            return verifier.check(path, report_progress, story=True, me=me)

    verifier = Verifier(seconds=seconds, memory=memory)
    try:
        return await asyncio.to_thread(work)
    finally:
        verifier.cancel()
