"""A node at a table opened by another: failures, ends and invalid messages, over real sockets."""

from __future__ import annotations

import asyncio

import pytest

from lanuno.log.faults import AuditVerdict
from lanuno.net.runtime import lobby_guest
from lanuno.net.runtime.endings import TableEnding
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import (
    DiskFull,
    Memory,
    Table,
    failing,
    table,
)


async def play(at: Table, *guests: int) -> list[TableEnding]:
    """Seat guests, and play to the end."""
    running = [asyncio.create_task((await at.peer(number)).run()) for number in guests]
    await at.host.wait()
    await at.host.close()
    return list(await asyncio.gather(*running))


@pytest.mark.parametrize("kind", ["begin", "entry", "secret", "body"])
def test_what_a_guest_cannot_keep_ends_the_guest(kind: str) -> None:
    async def story() -> None:
        number = 0 if kind == "begin" else 3
        async with table(2) as at:
            peer = await at.peer(1, Memory(failing(kind, number)))
            with pytest.raises(DiskFull, match=kind):
                await peer.run()
            assert peer.ending is TableEnding.FAILED
            assert at.records[0].closed == 1
            await at.host.wait()
            report = at.host_records.report
            assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
            assert report.winners == (0,)

    run(story())


class Mistake(Exception):
    """A simulated bug."""


def test_a_mistake_at_the_beginning_of_a_log_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async def mistaken(*_: object, **__: object) -> None:
            raise Mistake

        monkeypatch.setattr(lobby_guest, "open_runtime", mistaken)
        async with table(2) as at:
            peer = await at.peer(1)
            with pytest.raises(Mistake):
                await peer.run()
            assert at.records[0].closed == 1

    run(story())


def test_leaving_the_waiting_room() -> None:
    async def story() -> None:
        async with table(3) as at:
            peer = await at.peer(1)
            running = asyncio.create_task(peer.run())
            await until(lambda: at.host.lobby.taken == 2)
            await peer.leave()
            assert await running is TableEnding.LOST
            await until(lambda: at.host.lobby.taken == 1)

    run(story())


def test_a_guest_in_a_hurry_waits_for_nobody() -> None:
    async def story() -> None:
        async with table(2) as at:
            running = asyncio.create_task((await at.peer(1)).run())
            await until(lambda: len(at.host_records.entries) > 3)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert at.records[0].closed == 1

    run(story())


def test_watching_from_the_waiting_room() -> None:
    async def story() -> None:
        async with table(2) as at:
            watcher = await at.peer(9, watch=True)
            watching = asyncio.create_task(watcher.run())
            await until(lambda: bool(at.host.lobby.watching))
            await play(at, 1)
            assert await watching in (TableEnding.CLOSED, TableEnding.LOST)
            assert at.records[0].entries == at.host_records.entries
            assert "secret" not in at.records[0].counts

    run(story())


def test_what_is_no_message_of_a_host_ends_the_guest() -> None:
    async def story() -> None:
        async with table(3) as at:
            peer = await at.peer(1)
            running = asyncio.create_task(peer.run())
            await until(lambda: at.host.lobby.taken == 2)
            (guest,) = at.host._guests.values()
            guest.send(b"\xc1")
            assert await running is TableEnding.LOST
            assert peer.connection_error is not None
            assert peer.connection_error.fault.value == "protocol"

    run(story())
