"""The state of a simulated table, and the messages that its host role has sent."""

from __future__ import annotations

from collections.abc import Callable

from lanuno.log.format.bodies import CloseReason
from lanuno.log.format.entries import Entry
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table.host import role
from lanuno.table.messages import Statements
from tests.harness.adversaries.invalid_peers import Mute
from tests.harness.host_and_seats.table_sim import TableSim


def host_role_of(sim: TableSim) -> role.HostRole:
    assert sim.host_role is not None
    return sim.host_role


def closed_as(sim: TableSim) -> CloseReason | None:
    return None if sim.host_role is None else sim.host_role.replay.closed


def in_round(sim: TableSim, number: int, phase: ProtocolPhase) -> Callable[[], bool]:
    def reached() -> bool:
        current = None if sim.host_role is None else sim.host_role.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return reached


def withhold_acks(sim: TableSim, number: int) -> None:
    """Let a peer follow the log without acknowledging anything."""
    sim.peers[number].tamper = Mute(Statements)


def is_of(entry: Entry, kind: type) -> bool:
    return isinstance(entry.read().signed_body.read().payload, kind)


def is_by(entry: Entry, author: int, kind: type) -> bool:
    return entry.read().signed_body.read().author == author and is_of(entry, kind)
