"""The network fails for a while, over real sockets: which players are missed, and for how long."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from lanuno.bots.autoplay import Player
from lanuno.log.format.bodies import DropReason
from lanuno.net.runtime import node_runtime
from lanuno.net.runtime.config import PlayedSeat
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.runtime.pause_detector import PAUSE_SECONDS
from lanuno.table import links, outputs
from lanuno.table.host import grace
from lanuno.table.outputs import ClaimOffered
from tests.harness.sockets import tables
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import Memory, identity, player
from tests.net.cables import Cables, laid
from tests.net.succession import QUICK, Played, playing, verified

FIRST = 2.0
RULES = replace(QUICK, grace_first_s=int(FIRST), grace_total_s=6)
"""Like the default, but shorter: the grace time of a lost player is far shorter than an outage."""


@pytest.fixture
def cables(monkeypatch: pytest.MonkeyPatch) -> Cables:
    """The cables of all computers, all plugged in."""
    made = Cables()
    monkeypatch.setattr(node_runtime, "connect", made.dial)
    monkeypatch.setattr(tables, "connect", made.dial)
    monkeypatch.setattr(links, "TRY_SECONDS", 0.2)
    # However slow this machine is, a player who returns immediately is in time.
    monkeypatch.setattr(grace, "RETURN_SECONDS", 100.0)
    monkeypatch.setattr(grace, "MOST_BEYOND", 100.0)
    return made


def pull(at: Played, cables: Cables, *numbers: int) -> None:
    cables.pull(*(identity(number).public for number in numbers))


def put_back(at: Played, cables: Cables, *numbers: int) -> None:
    cables.put_back(*(identity(number).public for number in numbers))


async def until_alone(at: Played) -> None:
    """Wait until the host has missed all guests for longer than their grace time."""
    host_role = at.host.node.host_role
    assert host_role is not None
    await until(lambda: len(host_role._subscribers.seats) == 1)
    await asyncio.sleep(FIRST + 1.0)


def test_the_first_player_to_return_drops_nobody(cables: Cables) -> None:
    """A restarted router is an example: 66 s by default, while the grace time is 60 s."""

    async def story() -> None:
        async with laid(cables), playing(cables, 3, RULES) as at:
            pull(at, cables, 1, 2)
            await until_alone(at)
            host_role = at.host.node.host_role
            assert host_role is not None
            put_back(at, cables, 1)
            await until(lambda: host_role._subscribers.seats >= {0, 1})
            assert not host_role.no_quorum
            put_back(at, cables, 2)
            await at.at.host.wait()
            await at.at.host.close()
            assert await asyncio.gather(*at.running) == [TableEnding.CLOSED] * 2
            assert at.host.node.replay.dropped == {}
            verified(at.at.host_records, *at.at.records)

    run(story())


def test_with_two_owners_the_person_at_the_host_ends_a_silence(
    cables: Cables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two owners no time limit drops the other; the person at the host ends the wait."""
    monkeypatch.setattr(grace, "RETURN_SECONDS", 0.0)

    async def story() -> None:
        async with laid(cables), playing(cables, 2, RULES) as at:
            host_role = at.host.node.host_role
            assert host_role is not None
            pull(at, cables, 1)
            await until(lambda: at.host.node.claimable == (1,))
            assert ClaimOffered((1,)) in at.at.events
            assert at.host.node.replay.dropped == {}
            at.host.claim()
            assert at.host.node.replay.dropped == {1: DropReason.LOST}
            assert at.host.node.claimable == ()
            await at.at.host.wait()
            await at.at.host.close()
            at.guest(1).finish(TableEnding.LOST)
            assert await asyncio.gather(*at.running) == [TableEnding.LOST]

    run(story())


def test_a_host_that_did_not_run_drops_nobody_when_it_does_again(cables: Cables) -> None:
    """The host's loop is blocked for longer than the grace time of a missing player."""

    async def story() -> None:
        async with laid(cables), playing(cables, 3, RULES) as at:
            host_role = at.host.node.host_role
            assert host_role is not None
            at.guest(2).abort()
            pull(at, cables, 2)
            await until(
                lambda: at.host.node.host_role is not host_role or host_role._clocks.waits_for_lost
            )
            await until(lambda: 2 not in host_role._subscribers.seats)
            time.sleep(FIRST + PAUSE_SECONDS)  # noqa: ASYNC251 - nothing runs meanwhile
            put_back(at, cables, 2)
            await at.at.host.wait()
            await at.at.host.close()
            assert await asyncio.gather(*at.running) == [TableEnding.CLOSED] * 2
            assert at.host.node.replay.dropped == {}

    run(story())


@pytest.mark.parametrize(("who", "claims"), [(None, None), (player(0), 600.0)])
def test_a_person_is_asked_and_a_program_claims_by_itself(
    cables: Cables, who: Player | None, claims: float | None
) -> None:
    async def story() -> None:
        async with laid(cables), playing(cables, 2, RULES) as at:
            config = changed(at.host._config, seats=(PlayedSeat(identity(0), who),), listener=None)
            config = changed(config, network=None, records=Memory())
            runtime = NodeRuntime(at.host._genesis, config, lambda event: None)
            assert runtime.node._config.pace.claim == claims
            await runtime.close()
            at.guest(1).finish(TableEnding.LOST)
            at.host.finish(TableEnding.LOST)
            await asyncio.gather(*at.running)

    run(story())


def test_a_person_is_told_that_an_end_of_the_log_is_given_up(cables: Cables) -> None:
    async def story() -> None:
        async with laid(cables), playing(cables, 2, RULES) as at:
            records, told = Memory(), list[object]()
            config = changed(at.host._config, listener=None, network=None, records=records)
            runtime = NodeRuntime(at.host._genesis, config, told.append)
            runtime._carry_out([outputs.StoreGenesis(at.host._genesis), outputs.TruncateJournal(0)])
            await runtime.finish_writing()
            assert outputs.TruncateJournal(0) in told
            await runtime.close()
            at.guest(1).finish(TableEnding.LOST)
            at.host.finish(TableEnding.LOST)
            await asyncio.gather(*at.running)

    run(story())
