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
"""A player who is lost is gone at once. The host has a turn: of only four cards, all are actions
that keep the turn in one of 800 rounds of two."""

PATIENT = replace(QUICK, grace_first_s=60, grace_total_s=180)
"""A lost player has time to come back."""


@dataclass
class Held:
    """A player who decides nothing before being let go."""

    decides: Player
    held: bool = True

    def choose(self, seen: SeatView) -> Action | None:
        return None if self.held else self.decides.choose(seen)


@dataclass
class Played:
    """A table in the middle of a round, and what becomes of it."""

    at: Table
    network: Network
    running: list[asyncio.Task[TableEnding]]
    own: Held
    """Plays the host's own seat."""

    @property
    def host(self) -> NodeRuntime:
        assert self.at.host.runtime is not None
        return self.at.host.runtime

    def guest(self, number: int) -> NodeRuntime:
        driver = self.at.peers[number - 1].runtime
        assert driver is not None
        return driver

    def part(self, number: int) -> None:
        """This computer is cut off from all others."""
        self.network.apart.add(fingerprint(identity(number).public))
        (self.host if number == 0 else self.guest(number)).abort()

    def move(self, number: int) -> None:
        """It gets another address."""
        self.network.addresses[fingerprint(identity(number).public)] = AWAY

    def join(self, number: int) -> None:
        """It is back on the network."""
        self.network.apart.discard(fingerprint(identity(number).public))

    async def until_the_host_moves(self) -> None:
        """Until a card of the host's own seat is waited for, which it then plays."""

        def moves() -> bool:
            assert self.host.ending is None
            current = self.host.node.replay.round
            engine = None if current is None else current.engine
            return (
                isinstance(engine, Round) and engine.decider == 0 and self.host.seat_session.to_move
            )

        # A program's turn may be over before anybody has looked at it.
        await until(moves)
        self.own.held = False
        self.host._bots.schedule()


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    """A network on which everybody is impatient."""
    made = Network()
    monkeypatch.setattr(node_runtime, "connect", made.dial)
    monkeypatch.setattr(election, "SUSPECT_SECONDS", 0.2)
    # Nobody stands beside the first in line, however long it takes that one to be heard.
    monkeypatch.setattr(election, "RANK_SECONDS", 60.0)
    monkeypatch.setattr(election, "CAMPAIGN_SECONDS", 60.0)
    monkeypatch.setattr(links, "TRY_SECONDS", 0.2)
    return made


@asynccontextmanager
async def playing(
    network: Network, seats: int, ruleset: Ruleset = QUICK, rounds: int = 1
) -> AsyncIterator[Played]:
    """The host's own seat has to decide, in the first round."""
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
    """They all hold one whole log."""
    assert all(each.entries == kept[0].entries for each in kept)
    report = kept[0].report
    assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
