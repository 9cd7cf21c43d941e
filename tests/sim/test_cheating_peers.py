"""Seats that cheat, one way after the other: caught, named, and nobody else harmed."""

from __future__ import annotations

import pytest

from lanuno.log.bodies import CloseReason
from lanuno.log.events import FaultFound, RoundClosed, SeatDropped
from lanuno.log.faults import Fault, Verdict
from lanuno.rules.actions import Verdict as Word
from tests.harness.adversaries.invalid_peers import NUISANCES, Mute, Nuisance
from tests.harness.adversaries.peer_attacks import ATTACKS, PeerAttack
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.host_and_seats.verdicts import (
    all_the_same,
    attestations,
    honest,
    reports,
    the_table_ended,
)

SEEDS = range(20)
"""Some attacks need a hand that not every seed deals."""


def played(attack: PeerAttack) -> TableSim:
    """A table at which the attack took place."""
    for seed in SEEDS:
        sim = TableSim(attack.seats, seed, attack.ruleset)
        for number, make in attack.players.items():
            sim.peers[number].player = make(sim.peers[number])
        for number in attack.accomplices:
            sim.peers[number].tamper = Mute(Word)
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
    if replay.closed is not CloseReason.CHEATING:
        # The others have gone on without the one who cheated.
        assert cheater not in replay.match.playing
        assert cheater not in replay.match.winners
    found = reports(sim, cheater)
    for report in found.values():
        assert report.verdict is Verdict.CHEATING
        assert (cheater, attack.fault) in {(each.seat, each.fault) for each in report.blame}
        assert report.scores[cheater] == 0
    all_the_same(found.values())
    for peer in honest(sim, cheater):
        assert any(isinstance(event, FaultFound) for event in peer.events) == attack.live
        if attack.late:
            continue
        void = next(
            number
            for number, event in enumerate(peer.events)
            if isinstance(event, RoundClosed) and not event.counted
        )
        said = attestations(peer, cheater, upto=void)[1 - attack.seats :]
        all_the_same(said)
        # A false attestation is seen by the audit that comes after it.
        assert said[0] == (() if attack.name.startswith("attest") else (cheater,))


@pytest.mark.parametrize("nuisance", NUISANCES, ids=lambda nuisance: nuisance.name)
def test_a_seat_that_disturbs_is_refused_or_dropped_and_nobody_is_blamed(
    nuisance: Nuisance,
) -> None:
    sim = TableSim(nuisance.seats, 8, nuisance.ruleset)
    for number, make in nuisance.players.items():
        sim.peers[number].player = make(sim.peers[number])
    tamper = nuisance.make()
    sim.peers[1].tamper = tamper
    sim.run()
    assert getattr(tamper, "fired", 0)
    the_table_ended(sim)
    assert sim.sequencer is not None
    gone = nuisance.goes
    assert any(isinstance(event, SeatDropped) for event in sim.peers[0].events) == gone
    # Of two people the one who disturbs forfeits; of more the others play on.
    two = gone and nuisance.seats == 2
    assert sim.sequencer.replay.closed is (CloseReason.FINISHED if two else CloseReason.STOPPED)
    found = reports(sim)
    for number, report in found.items():
        if number == 1 and not sim.peers[1].connected:
            continue
        assert report.verdict is Verdict.VERIFIED
        assert {(each.seat, each.fault) for each in report.blame} <= {(1, Fault.NO_REVEAL)}
        assert bool(report.blame) is nuisance.withheld
