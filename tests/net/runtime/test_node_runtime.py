"""One node at a table in progress, over real sockets: its work, its disk and its connections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from lanuno.net.runtime.endings import TableEnding
from lanuno.table.replica.seat_keys import SeatKeys
from tests.harness.sockets.running import run
from tests.harness.sockets.tables import table


class Mistake(Exception):
    """A simulated bug."""


def broken(*_: object) -> Callable[[], object]:
    def work() -> object:
        raise Mistake

    return work


def test_a_mistake_in_heavy_work_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(SeatKeys, "pass_work", broken)
        async with table(2) as at:
            peer = asyncio.create_task((await at.peer(1)).run())
            with pytest.raises(Mistake):
                await at.host.wait()
            await at.host.close()
            assert await asyncio.wait_for(asyncio.shield(peer), 60) is TableEnding.LOST

    run(story())


def test_nothing_is_done_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that ends on its thread after the node was closed has no effect."""
    at_work, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(work: Callable[[], object]) -> object:
        if getattr(work, "__name__", "") == "sync":
            return work()  # nothing is sent to the other node before the sync
        at_work.set()
        try:
            await go_on.wait()
        except asyncio.CancelledError:
            return work()
        raise AssertionError

    async def story() -> None:
        monkeypatch.setattr(asyncio, "to_thread", slowly)
        async with table(2) as at:
            peer = asyncio.create_task((await at.peer(1)).run())
            await at_work.wait()
            at.host.stop()
            await at.host.wait()
            await at.host.close()
            assert await peer is TableEnding.CLOSED
            kept = dict(at.host_records.counts)
        assert at.host_records.counts == kept

    run(story())
