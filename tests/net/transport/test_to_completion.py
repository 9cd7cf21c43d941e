"""Sockets are closed even if the closing task is cancelled, at any moment and repeatedly."""

from __future__ import annotations

import asyncio

import pytest

from lanuno.net.transport.to_completion import to_completion
from tests.harness.sockets.running import run


def test_a_result_and_an_error_are_passed_on() -> None:
    async def main() -> None:
        async def works() -> int:
            await asyncio.sleep(0)
            return 7

        async def fails() -> None:
            raise OSError("no")

        assert await to_completion(works()) == 7
        with pytest.raises(OSError, match="no"):
            await to_completion(fails())

    run(main())


@pytest.mark.parametrize("fails", [False, True])
def test_cancelled_twice_it_ends_once_the_work_is_done(fails: bool) -> None:
    async def main() -> None:
        go_on, done = asyncio.Event(), asyncio.Event()

        async def work() -> None:
            await go_on.wait()
            done.set()
            if fails:
                raise OSError("no")

        task = asyncio.create_task(to_completion(work()))
        for _ in range(2):
            await asyncio.sleep(0)
            task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
        go_on.set()
        await asyncio.wait([task])
        assert task.cancelled()
        assert done.is_set()

    run(main())
