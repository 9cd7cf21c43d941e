"""The equivocation detector: two bodies with one counter, two votes in one term, and its memory."""

from __future__ import annotations

from msgspec.structs import replace

from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table.host import equivocation
from tests.harness.adversaries.forging import signed_with
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.host_and_seats.table_state import host_role_of, in_round, is_of


def test_a_counter_used_twice_is_exposed_once() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
    replay = host.replay
    peer = sim.peers[1]
    body = Body(replay.table_id, replay.number, 1, 500, bytes(32), bodies.Leave())
    for place in range(20):
        lie = signed_with(peer, replace(body, head=bytes([place]) * 32))
        host.receive(1, lie, sim.now)
    exposed = [entry for entry in sim.journal if is_of(entry, bodies.Expose)]
    exposed += [entry for entry in host._entries[len(sim.journal) :] if is_of(entry, bodies.Expose)]
    assert len(exposed) == 1
    assert len(host._equivocation.seen[replay.public_key(1)]) <= equivocation.REMEMBERED_BODIES


def test_the_host_remembers_only_so_many_bodies() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
    replay = host.replay
    for counter in range(500, 500 + 3 * equivocation.REMEMBERED_BODIES):
        body = Body(replay.table_id, replay.number, 1, counter, bytes(32), bodies.Leave())
        host.receive(1, signed_with(sim.peers[1], body), sim.now)
    assert len(host._equivocation.seen[replay.public_key(1)]) == equivocation.REMEMBERED_BODIES
