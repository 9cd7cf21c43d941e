"""Tests of the asyncio thread: it ends all work when it is closed."""

from __future__ import annotations

import asyncio
import threading

from lanuno.app.loop import LoopThread
from tests.harness.sockets.running import PATIENCE


def test_closing_cancels_all_work() -> None:
    loop = LoopThread()
    loop.start()
    ended = threading.Event()

    async def long() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    begun = loop.submit(asyncio.sleep(0, 1))
    future = loop.submit(long())
    assert begun.result(PATIENCE) == 1
    loop.close()
    assert ended.is_set()
    assert future.cancelled()
    assert loop.submit(asyncio.sleep(0, 2)).cancelled()
    loop.close()


def test_submitted_work_ends_its_own_tasks_before_the_loop_does() -> None:
    loop, told = LoopThread(), list[str]()
    began, cancelled = threading.Event(), asyncio.Event()

    async def inner() -> None:
        try:
            began.set()
            await cancelled.wait()
            told.append("inner was opened whole")
        except asyncio.CancelledError:
            told.append("inner was broken off")
            raise

    async def outer() -> None:
        opening = asyncio.ensure_future(inner())
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            cancelled.set()
            await opening
            told.append("and closed")
            raise

    loop.start()
    loop.submit(outer())
    assert began.wait(PATIENCE)
    loop.close()
    assert told == ["inner was opened whole", "and closed"]
