"""The network fails for a while, over real sockets: who is missed, for how long, and who is not."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from lanuno.net import member_driver
from lanuno.net.endings import Ending
from lanuno.table import contacts
from tests.net import tables
from tests.net.cables import Cables, laid
from tests.net.running import run, until
from tests.net.tables import identity
from tests.net.test_succession import QUICK, Played, playing, verified

FIRST = 2.0
RULES = replace(QUICK, grace_first_s=int(FIRST), grace_total_s=6)
"""As by default, but shorter: whoever is lost has far less time than an outage takes."""


@pytest.fixture
def cables(monkeypatch: pytest.MonkeyPatch) -> Cables:
    """Everybody's cables, all of them in."""
    made = Cables()
    monkeypatch.setattr(member_driver, "connect", made.dial)
    monkeypatch.setattr(tables, "connect", made.dial)
    monkeypatch.setattr(contacts, "TRY_SECONDS", 0.2)
    return made


def pull(at: Played, cables: Cables, *numbers: int) -> None:
    cables.pull(*(identity(number).public for number in numbers))


def put_back(at: Played, cables: Cables, *numbers: int) -> None:
    cables.put_back(*(identity(number).public for number in numbers))


async def until_alone(at: Played) -> None:
    """The host has missed everybody for longer than their grace time."""
    office = at.host.member.sequencer
    assert office is not None
    await until(lambda: len(office._audience.seats) == 1)
    await asyncio.sleep(FIRST + 1.0)


def test_whoever_returns_first_drops_nobody(cables: Cables) -> None:
    """As after a router was started again: 66 s by default, of which everybody has 60."""

    async def story() -> None:
        async with laid(cables), playing(cables, 3, RULES) as at:
            pull(at, cables, 1, 2)
            await until_alone(at)
            office = at.host.member.sequencer
            assert office is not None
            put_back(at, cables, 1)
            await until(lambda: office._audience.seats >= {0, 1})
            assert not office.frozen
            put_back(at, cables, 2)
            await at.at.host.wait()
            await at.at.host.close()
            assert await asyncio.gather(*at.running) == [Ending.CLOSED] * 2
            assert at.host.member.replay.dropped == {}
            verified(at.at.office, *at.at.records)

    run(story())
