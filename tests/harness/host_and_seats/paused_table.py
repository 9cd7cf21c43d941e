"""Simulated tables that are paused at a moment, for tests of one session.

The tests read the session's outputs and feed it by hand.
"""

from __future__ import annotations

from collections.abc import Callable

from lanuno.log.format import bodies
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from tests.harness.adversaries.forging import game_of
from tests.harness.adversaries.invalid_peers import Mute
from tests.harness.host_and_seats.players import CROWDED, DOUBTERS
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim


class PausedTable:
    """A paused table: no seat moves, and once it is settled no message arrives."""

    def __init__(
        self,
        reached: Callable[[TableSim], bool],
        players: int = 3,
        seed: int = 1,
        ruleset: Ruleset | None = None,
        *,
        settled: bool = True,
        mute: tuple[type, ...] = (),
    ) -> None:
        """`mute`: the kind of message that no peer sends."""
        self.sim = TableSim(players, seed, ruleset)
        for peer in self.sim.seated if mute else ():
            peer.tamper = Mute(*mute)
        for number, make in DOUBTERS.items():
            if ruleset is CROWDED and number < players:
                self.sim.peers[number].player = make(self.sim.peers[number])
        self.sim.run_until(lambda: reached(self.sim))
        if settled:
            self.settle()

    def settle(self) -> None:
        """Deliver every message; no seat moves."""
        for peer in self.sim.peers:
            peer.awake = False
        while any(peer.to_host or peer.to_peer or peer.jobs for peer in self.sim.peers):
            self.sim.step()
            for peer in self.sim.peers:
                peer.awake = False

    def decider(self) -> SimPeer:
        """The seat that has to move."""
        seat = game_of(self.sim.peers[0]).decider
        assert seat is not None
        return self.sim.peers[seat]


def playing(turns: int = 3) -> Callable[[TableSim], bool]:
    def reached(sim: TableSim) -> bool:
        current = None if sim.host_role is None else sim.host_role.replay.round
        if current is None or current.phase is not ProtocolPhase.PLAY:
            return False
        engine = current.engine
        return isinstance(engine, Round) and engine.turns >= turns and engine.decider is not None

    return reached


def at_phase(number: int, phase: ProtocolPhase) -> Callable[[TableSim], bool]:
    def reached(sim: TableSim) -> bool:
        current = None if sim.host_role is None else sim.host_role.replay.round
        there = current is not None and (current.number, current.phase) == (number, phase)
        return there and all(peer.session is not None for peer in sim.seated)

    return reached


def at_round_phase(moment: RoundPhase) -> Callable[[TableSim], bool]:
    def reached(sim: TableSim) -> bool:
        current = None if sim.host_role is None else sim.host_role.replay.round
        return (
            current is not None
            and isinstance(current.engine, Round)
            and current.engine.phase is moment
        )

    return reached


class LosesBodies:
    """A host that ignores one kind of message."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.kept: list[tuple[SimPeer, bodies.Body]] = []

    def __call__(self, peer: SimPeer, message: messages.AtTable) -> list[messages.AtTable]:
        if isinstance(message, messages.Submit):
            body = message.body.read()
            if isinstance(body.payload, self.kind):
                self.kept.append((peer, body))
                return []
        return [message]


def with_lost_step(kind: type, players: int = 3) -> tuple[TableSim, SimPeer, bodies.Body]:
    """Return a table at which one peer's automatic step has not arrived."""
    sim = TableSim(players, 1)
    deaf = LosesBodies(kind)
    sim.peers[1].tamper = deaf
    sim.run_until(lambda: bool(deaf.kept))
    while sim.step():
        pass
    peer, body = deaf.kept[-1]
    peer.tamper = None
    return sim, peer, body


def refusal(
    body: bodies.Body, why: str, detail: str = "", counter: int | None = None
) -> messages.BodyRefusal:
    """Return the host's refusal of a body, or of one with another counter."""
    used = body.counter if counter is None else counter
    return messages.BodyRefusal(body.author, used, why, detail)
