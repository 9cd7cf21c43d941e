"""Tables whose host is lost, hands over or moves: real connections on a network that tests cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from lanuno.bots.player import Player
from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import AuditVerdict
from lanuno.log.replay.due_steps import automatic_steps
from lanuno.net.runtime import node_runtime
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.view import SeatView
from lanuno.table import links
from lanuno.table.succession import election
from tests.harness.sockets.running import until
from tests.harness.sockets.tables import SHORT, Memory, Table, identity, player, table
from tests.net.loopback_network import AWAY, Here, Network

QUICK = replace(SHORT, hand_size=8)
"""A lost player is dropped immediately. Hands of eight cards ensure that the host has a turn: with
four cards, one in 800 two-player rounds has only action cards, which keep the turn."""

PATIENT = replace(QUICK, grace_first_s=60, grace_total_s=180)
"""A lost player has time to return."""


@dataclass
class Held:
    """A player that makes no decision until `held` is cleared."""

    decides: Player
    held: bool = True

    def choose(self, seen: SeatView) -> Action | None:
        return None if self.held else self.decides.choose(seen)


async def settle(host: NodeRuntime, guest: NodeRuntime) -> None:
    """Wait until nobody has anything to do but the host's own seat, which must decide.

    It may be to move while it still owes the guest the keys of its first hand.
    """

    def settled() -> bool:
        replay = host.node.replay
        final = guest.seat_session.replica.final_count
        quiet = host._writing is None and not host._syncing
        to_move = host.seat_session.to_move and not automatic_steps(replay)
        return to_move and quiet and final == replay.seq

    await until(settled)


@dataclass
class Played:
    """A table in the middle of a round, and its running guests."""

    at: Table
    network: Network
    running: list[asyncio.Task[TableEnding]]
    own: Held
    """The player of the host's own seat."""

    @property
    def host(self) -> NodeRuntime:
        assert self.at.host.runtime is not None
        return self.at.host.runtime

    def guest(self, number: int) -> NodeRuntime:
        driver = self.at.peers[number - 1].runtime
        assert driver is not None
        return driver

    def part(self, number: int) -> None:
        """Cut this computer off from all others."""
        self.network.apart.add(fingerprint(identity(number).public))
        (self.host if number == 0 else self.guest(number)).abort()

    def move(self, number: int) -> None:
        """Give this computer another address."""
        self.network.addresses[fingerprint(identity(number).public)] = AWAY

    def join(self, number: int) -> None:
        """Bring this computer back to the network."""
        self.network.apart.discard(fingerprint(identity(number).public))

    async def until_the_host_moves(self) -> None:
        """Wait until the host's own seat must decide, then let it play."""

        def moves() -> bool:
            assert self.host.ending is None
            current = self.host.node.replay.round
            engine = None if current is None else current.engine
            return (
                isinstance(engine, Round) and engine.decider == 0 and self.host.seat_session.to_move
            )

        # The host's seat is held, because a bot's turn could end before the test observes it.
        await until(moves)
        self.own.held = False
        self.host._bots.schedule()


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    """A network on which all nodes have short time limits."""
    made = Network()
    monkeypatch.setattr(node_runtime, "connect", made.dial)
    monkeypatch.setattr(election, "SUSPECT_SECONDS", 0.2)
    # Only the first candidate in line campaigns, however long its election takes.
    monkeypatch.setattr(election, "RANK_SECONDS", 60.0)
    monkeypatch.setattr(election, "CAMPAIGN_SECONDS", 60.0)
    monkeypatch.setattr(links, "TRY_SECONDS", 0.2)
    monkeypatch.setattr(links, "DIRECT_TRY_SECONDS", 0.5)
    return made


@asynccontextmanager
async def playing(
    network: Network, seats: int, ruleset: Ruleset = QUICK, rounds: int = 1
) -> AsyncIterator[Played]:
    """Run a table up to a decision of the host's own seat in the first round."""
    own = Held(player(0))
    async with table(
        seats, ruleset=ruleset, rounds=rounds, network=Here(network=network), decides=own
    ) as at:
        guests = [await at.peer(number) for number in range(1, seats)]
        running = await at.sit_down(*guests)
        await until(lambda: at.host.runtime is not None)
        played = Played(at, network, running, own)
        await played.until_the_host_moves()
        yield played


def verified(*kept: Memory) -> None:
    """Check that all records hold the same log, and that it is verified."""
    assert all(each.entries == kept[0].entries for each in kept)
    report = kept[0].report
    assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
