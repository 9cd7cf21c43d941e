"""A node that resumes a table after its program was interrupted, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from lanuno.log.faults import HostFault
from lanuno.log.format.bodies import SignedBody
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime.endings import CaughtUp, TableEnding
from lanuno.net.runtime.resume import ResumedTable
from lanuno.net.transport.listener import Listener
from lanuno.table.outputs import TableBegan
from lanuno.table.recovery import RecoveredState
from lanuno.table.released_secrets import Released
from tests.harness.node_world.disk import Disk
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import Memory, Table, identity, player, runtime_config, table
from tests.net.loopback_network import Here, Network
from tests.net.succession import PATIENT, Held, network, verified

__all__ = ["network"]  # the fixture of the network with short time limits


@dataclass
class Kept(Memory):
    """Records from which a program can resume."""

    disk: Disk = field(default_factory=Disk)

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        super().secret(seat, opened, label, secret)
        self.disk.seeds.setdefault(seat, {})[opened, label] = secret

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        super().body(seat, counter, signed)
        self.disk.promise(seat, counter)
        self.disk.bodies.setdefault(seat, {})[counter] = signed

    def vote(self, term: int, data: bytes) -> None:
        super().vote(term, data)
        self.disk.votes[term] = data

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        super().release(seat, counter, count, head)
        self.disk.released = Released(count, head)

    def recover(self) -> RecoveredState:
        assert self.genesis is not None
        self.disk.entries = list(self.entries)
        return self.disk.recovered(self.genesis)


@dataclass
class Interrupted:
    """A table in the middle of a round, whose only guest was interrupted."""

    at: Table
    network: NetworkContext
    recovered: RecoveredState
    host_player: Held
    records: Kept
    """What the resumed node writes."""
    events: list[object] = field(default_factory=list)

    def resumed(self, network: NetworkContext | None = None) -> ResumedTable:
        config = runtime_config(self.records, 1, network=network or self.network)
        return ResumedTable(self.recovered, identity(1), config, self.events.append)

    def play_on(self) -> None:
        """Let the host's seat decide again."""
        assert self.at.host.runtime is not None
        self.host_player.held = False
        self.at.host.runtime._bots.schedule()


@asynccontextmanager
async def interrupted(network: Network) -> AsyncIterator[Interrupted]:
    """Play up to a decision of the host, and interrupt the guest without a goodbye."""
    around, own, kept = Here(network=network), Held(player(0)), Kept()
    async with table(2, ruleset=PATIENT, network=around, decides=own) as at:
        guest = await at.peer(1, kept)
        [running] = await at.sit_down(guest)
        await until(lambda: at.host.runtime is not None)
        host = at.host.runtime
        assert host is not None
        await until(lambda: host.seat_session.to_move and guest.runtime is not None)
        assert guest.runtime is not None
        places = guest.runtime.node.places
        running.cancel()
        await asyncio.wait((running,))
        await until(lambda: 1 not in host.node._links.seats)
        recovered = replace(kept.recover(), places=places)
        again = Kept(genesis=kept.genesis, entries=list(kept.entries))
        yield Interrupted(at, around, recovered, own, again)


def test_an_interrupted_player_returns_and_plays_to_the_end(network: Network) -> None:
    async def story() -> None:
        async with interrupted(network) as at:
            host = at.at.host.runtime
            assert host is not None
            held = len(at.recovered.entries)
            resumed = at.resumed()
            assert (resumed.runtime, resumed.ending) == (None, None)
            running = asyncio.create_task(resumed.run())
            await until(lambda: 1 in host.node._links.seats)
            at.play_on()
            await at.at.host.wait()
            await at.at.host.close()
            assert await running is TableEnding.CLOSED
            assert resumed.ending is TableEnding.CLOSED
            verified(at.at.host_records, at.records)
            assert host.node.replay.dropped == {}
            assert held < len(at.records.entries)
            assert at.events[0] == TableBegan(at.recovered.genesis)
            assert any(isinstance(each, CaughtUp) for each in at.events)
            assert at.records.closed == 1

    run(story())


def test_a_table_that_is_left_before_it_is_resumed_is_not_played(network: Network) -> None:
    async def story() -> None:
        async with interrupted(network) as at:
            resumed = at.resumed()
            await resumed.leave()
            assert await resumed.run() is TableEnding.LOST
            assert at.records.closed == 1
            assert at.at.host.runtime is not None
            assert at.at.host.runtime.node.replay.dropped == {}, "it only stopped"

    run(story())


def test_a_player_who_leaves_after_the_return_is_recorded_in_the_log(network: Network) -> None:
    async def story() -> None:
        async with interrupted(network) as at:
            host = at.at.host.runtime
            assert host is not None
            resumed = at.resumed()
            running = asyncio.create_task(resumed.run())
            await until(lambda: resumed.runtime is not None and resumed.runtime.node.in_contact)
            await resumed.leave()
            await running
            await until(lambda: 1 in host.node.replay.dropped)

    run(story())


def test_a_cancelled_run_closes_everything(network: Network) -> None:
    async def story() -> None:
        async with interrupted(network) as at:
            resumed = at.resumed()
            running = asyncio.create_task(resumed.run())
            await until(lambda: resumed.runtime is not None and resumed.runtime.node.in_contact)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert at.records.closed == 1

    run(story())


class NoPort(NetworkContext, frozen=True):
    """A network on which no port is available."""

    async def open_listener(self, *_: object, **__: object) -> Listener:
        raise NetError(NetFault.PORT, "taken")


def test_without_a_port_the_records_are_closed(network: Network) -> None:
    async def story() -> None:
        async with interrupted(network) as at:
            resumed = at.resumed(NoPort())
            with pytest.raises(NetError) as caught:
                await resumed.run()
            assert caught.value.fault is NetFault.PORT
            assert at.records.closed == 1
            assert (resumed.runtime, resumed.ending, at.events) == (None, None, [])

    run(story())


def test_entries_that_are_no_log_are_refused(network: Network) -> None:
    """`run` of the tests fails if the listener stays open."""

    async def story() -> None:
        async with interrupted(network) as at:
            entries = at.recovered.entries
            at.recovered = replace(at.recovered, entries=(*entries[:1], *entries[2:]))
            resumed = at.resumed()
            with pytest.raises(HostFault):
                await resumed.run()
            assert at.records.closed == 1
            assert resumed.runtime is None

    run(story())
