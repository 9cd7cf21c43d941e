"""A bot in the chair of somebody who left, over real connections: partners play on to the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from lanuno.log import bodies, events
from lanuno.log.bodies import DropReason
from lanuno.log.entries import Entry
from lanuno.log.faults import Verdict
from lanuno.net.endings import Ending
from lanuno.rules.ruleset import Format
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import SHORT, DiskFull, Memory, Table, failing, table

PAIRS = replace(SHORT, format=Format.PAIRS)


async def leave(at: Table) -> list[asyncio.Task[Ending]]:
    """Four sit down as two pairs, and the last one goes away while a hand is being dealt."""
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
            assert ended[:2] == [Ending.CLOSED, Ending.CLOSED]
            report = at.office.report
            assert (report.verdict, report.blame) == (Verdict.VERIFIED, ())
            assert at.events.count(events.SeatFilled(3, 0)) == 1
            assert at.host.driver is not None
            replay = at.host.driver.member.replay
            assert replay.dropped == {3: DropReason.LEFT}
            assert [each.counted for each in replay.summaries if each.number].count(True) == 2
            assert at.office.kept["bot"] == 1
            [told] = filled(at.office.entries)
            for records in at.records[:2]:
                assert filled(records.entries) == [told]
                assert records.report.verdict is Verdict.VERIFIED

    run(story())


def test_a_bot_whose_key_cannot_be_kept_signs_nothing() -> None:
    async def story() -> None:
        async with table(4, ruleset=PAIRS, office=Memory(failing("bot", 0))) as at:
            running = await leave(at)
            with pytest.raises(DiskFull, match="bot"):
                await at.host.wait()
            await at.host.close()
            await asyncio.gather(*running)
            for records in (at.office, *at.records):
                assert filled(records.entries) == []

    run(story())
