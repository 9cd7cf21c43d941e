"""How long a node waits for others at the end of a table, over real sockets."""

from __future__ import annotations

import asyncio

import pytest

from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import DropReason
from lanuno.net.runtime import shutdown
from lanuno.net.runtime.endings import TableEnding
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import player, table
from tests.net.succession import PATIENT, Held


def test_a_guest_that_leaves_during_a_round_is_recorded_as_having_left() -> None:
    async def story() -> None:
        async with table(3) as at:
            leaver, other = await at.peer(1), await at.peer(2)
            runs = await at.sit_down(leaver, other)
            await until(lambda: len(at.host_records.entries) > 5)
            await leaver.leave()
            assert await runs[0] in (TableEnding.LOST, TableEnding.CLOSED)
            await at.host.wait()
            await at.host.close()
            assert await runs[1] is TableEnding.CLOSED
            assert at.host.runtime is not None
            assert at.host.runtime.node.replay.dropped == {1: DropReason.LEFT}
            for records in (at.host_records, *at.records):
                assert records.report.blame == ()

    run(story())


def test_a_host_that_never_says_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(shutdown, "GOODBYE_SECONDS", 0.05)
        async with table(2) as at:
            assert await (await at.peer(1)).run() is TableEnding.CLOSED

    run(story())


@pytest.mark.parametrize("polite", [False, True])
def test_a_guest_whose_host_is_lost_at_the_end_stays_for_other_guests(
    monkeypatch: pytest.MonkeyPatch, polite: bool
) -> None:
    async def story() -> None:
        async with table(2) as at:
            guest = await at.peer(1)
            running = asyncio.create_task(guest.run())
            await until(lambda: guest.runtime is not None and guest.runtime.ended.is_set())
            assert at.host.runtime is not None
            assert guest.runtime is not None
            monkeypatch.setattr(shutdown, "ABSENT_SECONDS", 0.0 if polite else 3600.0)
            if polite:
                await at.host.wait()
                await at.host.close()
                assert await running is TableEnding.CLOSED
                assert not guest.runtime.host_lost_after_close
                return
            at.host.runtime.abort()
            await until(lambda: guest.runtime is not None and guest.runtime.host_lost_after_close)
            await asyncio.wait((running,), timeout=0.2)
            assert not running.done()
            running.cancel()
            await asyncio.wait((running,))

    run(story())


def test_a_guest_that_never_acknowledges(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(shutdown, "LAST_ENTRY_SECONDS", 0.05)
        async with table(2) as at:
            peer = await at.peer(1)
            running = asyncio.create_task(peer.run())
            await until(lambda: len(at.host_records.entries) > 3 and peer.runtime is not None)
            assert peer.runtime is not None
            monkeypatch.setattr(peer.runtime, "receive", lambda link, data: None)
            at.host.stop()
            await at.host.wait()
            assert at.host.runtime is not None
            assert not at.host.runtime.delivered_to_connected.is_set()
            await at.host.close()
            assert await running is TableEnding.LOST

    run(story())


def test_leaving_without_contact_does_not_wait() -> None:
    """No message would arrive, so the other nodes only see a lost connection."""

    async def story() -> None:
        async with table(2, ruleset=PATIENT, decides=Held(player(0))) as at:
            guest = await at.peer(1)
            [running] = await at.sit_down(guest)
            await until(lambda: guest.runtime is not None and guest.runtime.node.in_contact)
            assert at.host.runtime is not None
            assert guest.runtime is not None
            at.host.runtime.abort()
            await until(guest.runtime.hostless.is_set)
            leaving = asyncio.create_task(shutdown.leave_table(guest.runtime))
            # It ends within this turn of the event loop, without a timer.
            await asyncio.sleep(0)
            assert leaving.done()
            assert await running is TableEnding.LOST
            assert at.host.runtime.node.replay.dropped == {}

    run(story())


def test_a_host_that_leaves_its_only_opponent_closes_the_log() -> None:
    """Two players have no third one to take over, so the opponent wins."""

    async def story() -> None:
        async with table(2, ruleset=PATIENT, decides=Held(player(0))) as at:
            [running] = await at.sit_down(await at.peer(1))
            await until(lambda: at.host.runtime is not None)
            assert at.host.runtime is not None
            await until(lambda: at.host.runtime is not None and at.host.runtime.node.in_contact)
            await at.host.leave()
            await at.host.wait()  # the opponent may not have the last entry yet
            await at.host.close()
            assert await running is TableEnding.CLOSED
            report = at.records[0].report
            assert (report.verdict, report.winners) == (AuditVerdict.VERIFIED, (1,))
            assert at.host.runtime.node.replay.dropped == {0: DropReason.LEFT}
            assert at.host_records.entries == at.records[0].entries

    run(story())
