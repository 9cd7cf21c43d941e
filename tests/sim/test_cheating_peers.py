"""Seats that cheat, one way after the other: caught, named, and nobody else harmed."""

from __future__ import annotations

import pytest

from lanuno.log.bodies import CloseReason
from lanuno.log.events import RoundClosed
from lanuno.log.faults import Fault, Verdict
from tests.sim.judging import all_the_same, attestations, honest, reports, the_table_ended
from tests.sim.nuisances import NUISANCES, Nuisance
from tests.sim.peer_attacks import ATTACKS, PeerAttack
from tests.sim.table_sim import TableSim

SEEDS = range(20)
"""Some attacks need a hand that not every seed deals."""


def played(attack: PeerAttack) -> TableSim:
    """A table at which the attack took place."""
    for seed in SEEDS:
        sim = TableSim(attack.seats, seed, attack.ruleset)
        for number, make in attack.players.items():
            sim.peers[number].player = make(sim.peers[number])
        tamper = attack.make()
        sim.peers[attack.cheater].tamper = tamper
        sim.run()
        if getattr(tamper, "fired", 0):
            return sim
    raise AssertionError(f"there was never an occasion to cheat: {attack.name}")


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_cheating_seat_is_caught_and_nobody_else_blamed(attack: PeerAttack) -> None:
    sim = played(attack)
    cheater = attack.cheater
    the_table_ended(sim)
    assert sim.sequencer is not None
    replay = sim.sequencer.replay
    assert replay.closed is CloseReason.CHEATING
    assert replay.round is not None
    assert bool(replay.round.faults or replay.exposed) == attack.live
    if not attack.late:
        assert not replay.summaries[-1].counted
    found = reports(sim, cheater)
    for report in found.values():
        assert report.verdict is Verdict.CHEATING
        assert (cheater, attack.fault) in {(each.seat, each.fault) for each in report.blame}
        assert not any(report.scores)
    all_the_same(found.values())
    for peer in honest(sim, cheater):
        closed = [event for event in peer.events if isinstance(event, RoundClosed)]
        if attack.late:
            continue
        assert not closed[-1].counted
        last = attestations(peer, cheater)[1 - attack.seats :]
        all_the_same(last)
        # A false attestation is seen by the audit that comes after it.
        assert last[0] == (() if attack.name.startswith("attest") else (cheater,))


@pytest.mark.parametrize("nuisance", NUISANCES, ids=lambda nuisance: nuisance.name)
def test_a_seat_that_disturbs_is_refused_or_dropped_and_nobody_is_blamed(
    nuisance: Nuisance,
) -> None:
    sim = TableSim(nuisance.seats, seed=3)
    tamper = nuisance.make()
    sim.peers[1].tamper = tamper
    sim.run()
    assert getattr(tamper, "fired", 0)
    the_table_ended(sim)
    assert sim.sequencer is not None
    assert sim.sequencer.replay.closed is nuisance.closes
    found = reports(sim)
    for number, report in found.items():
        if number == 1 and not sim.peers[1].connected:
            continue
        right = Verdict.VERIFIED if nuisance.closes is CloseReason.STOPPED else Verdict.INCOMPLETE
        assert report.verdict is right
        missing = [(1, Fault.NO_REVEAL)] if nuisance.withheld else []
        assert [(each.seat, each.fault) for each in report.blame] == missing
