"""A stand-in for a player who left, over real connections: the partners play to the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from lanuno.log.faults import AuditVerdict
from lanuno.log.format import bodies
from lanuno.log.format.bodies import DropReason
from lanuno.log.format.entries import Entry
from lanuno.log.round import events
from lanuno.net.runtime.endings import TableEnding
from lanuno.rules.ruleset import Format
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import SHORT, DiskFull, Memory, Table, failing, table

PAIRS = replace(SHORT, format=Format.PAIRS)


async def leave(at: Table) -> list[asyncio.Task[TableEnding]]:
    """Seat four players as two pairs; the last one leaves during a deal."""
    guests = [await at.peer(number) for number in (1, 2, 3)]
    running = await at.sit_down(*guests)
    await until(lambda: any(isinstance(each, events.DeckReady) for each in at.events))
    await guests[-1].leave()
    return running


def filled(entries: Sequence[Entry]) -> list[bodies.FillIn]:
    payloads = [entry.read().signed_body.read().payload for entry in entries]
    return [each for each in payloads if isinstance(each, bodies.FillIn)]


def test_four_become_three_and_a_bot_plays_on() -> None:
    async def story() -> None:
        async with table(4, ruleset=PAIRS, rounds=2) as at:
            running = await leave(at)
            await at.host.wait()
            await at.host.close()
            ended = await asyncio.gather(*running)
            assert ended[:2] == [TableEnding.CLOSED, TableEnding.CLOSED]
            report = at.host_records.report
            assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
            assert at.events.count(events.SeatFilled(3, 0)) == 1
            assert at.host.runtime is not None
            replay = at.host.runtime.node.replay
            assert replay.dropped == {3: DropReason.LEFT}
            assert [each.counted for each in replay.summaries if each.number].count(True) == 2
            assert at.host_records.counts["bot"] == 1
            [told] = filled(at.host_records.entries)
            for records in at.records[:2]:
                assert filled(records.entries) == [told]
                assert records.report.verdict is AuditVerdict.VERIFIED

    run(story())


def test_a_bot_whose_key_cannot_be_kept_signs_nothing() -> None:
    async def story() -> None:
        async with table(4, ruleset=PAIRS, host_records=Memory(failing("bot", 0))) as at:
            running = await leave(at)
            with pytest.raises(DiskFull, match="bot"):
                await at.host.wait()
            await at.host.close()
            await asyncio.gather(*running)
            for records in (at.host_records, *at.records):
                assert filled(records.entries) == []

    run(story())
