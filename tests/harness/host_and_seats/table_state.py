"""Where a simulated table stands, and what its office has said: questions that tests ask."""

from __future__ import annotations

from collections.abc import Callable

from lanuno.log.bodies import CloseReason
from lanuno.log.entries import Entry
from lanuno.log.round_record import Phase
from lanuno.table import sequencer
from lanuno.table.messages import Ack
from tests.harness.adversaries.invalid_peers import Mute
from tests.harness.host_and_seats.table_sim import TableSim


def office(sim: TableSim) -> sequencer.Sequencer:
    assert sim.sequencer is not None
    return sim.sequencer


def closed_as(sim: TableSim) -> CloseReason | None:
    return None if sim.sequencer is None else sim.sequencer.replay.closed


def in_round(sim: TableSim, number: int, phase: Phase) -> Callable[[], bool]:
    def reached() -> bool:
        current = None if sim.sequencer is None else sim.sequencer.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return reached


def acks_of(sim: TableSim, number: int) -> None:
    """Let a peer follow without ever acknowledging anything."""
    sim.peers[number].tamper = Mute(Ack)


def is_of(entry: Entry, kind: type) -> bool:
    return isinstance(entry.read().signed_body.read().payload, kind)


def is_by(entry: Entry, author: int, kind: type) -> bool:
    return entry.read().signed_body.read().author == author and is_of(entry, kind)
