"""Cheating seats, one kind at a time: each is caught and named, and no other player is harmed."""

from __future__ import annotations

import pytest

from lanuno.log.faults import AuditVerdict, Fault
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.round.events import FaultFound, RoundClosed, SeatDropped
from lanuno.rules.engine.actions import Verdict
from tests.harness.adversaries.invalid_peers import INVALID_PEERS, InvalidPeer, Mute
from tests.harness.adversaries.peer_attacks import ATTACKS, PeerAttack
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.host_and_seats.verdicts import (
    assert_all_equal,
    assert_table_ended,
    attestations,
    honest,
    reports,
)

SEEDS = range(20)
"""Seeds to try, because some attacks need a hand that not every seed deals."""


def played(attack: PeerAttack) -> TableSim:
    """Return a table at which the attack took place."""
    for seed in SEEDS:
        sim = TableSim(attack.seats, seed, attack.ruleset)
        for number, make in attack.players.items():
            sim.peers[number].player = make(sim.peers[number])
        for number in attack.accomplices:
            sim.peers[number].tamper = Mute(Verdict)
        tamper = attack.make()
        sim.peers[attack.cheater].tamper = tamper
        sim.run()
        if getattr(tamper, "fired", 0) and not is_silent(sim, attack.cheater):
            return sim
    raise AssertionError(f"there was never an occasion to cheat: {attack.name}")


def is_silent(sim: TableSim, seat: int) -> bool:
    """Whether a seat was dropped as silent: a cheat that waits for another seat may be too late."""
    dropped = {} if sim.host_role is None else sim.host_role.replay.dropped
    return dropped.get(seat) is DropReason.SILENT


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_cheating_seat_is_caught_and_nobody_else_blamed(attack: PeerAttack) -> None:
    sim = played(attack)
    cheater = attack.cheater
    assert_table_ended(sim)
    assert sim.host_role is not None
    replay = sim.host_role.replay
    if replay.closed is not CloseReason.CHEATING:
        # The others have continued without the cheat.
        assert cheater not in replay.match.playing
        assert cheater not in replay.match.winners
    found = reports(sim, cheater)
    for report in found.values():
        assert report.verdict is AuditVerdict.CHEATING
        assert (cheater, attack.fault) in {(each.seat, each.fault) for each in report.blame}
        assert report.scores[cheater] == 0
    assert_all_equal(found.values())
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
        assert_all_equal(said)
        # The audit after a false attestation detects it.
        assert said[0] == (() if attack.name.startswith("attest") else (cheater,))


def disturbed(invalid: InvalidPeer) -> TableSim:
    """Return a table at which the seat had an occasion to disturb."""
    for seed in SEEDS:
        sim = TableSim(invalid.seats, seed, invalid.ruleset)
        for number, make in invalid.players.items():
            sim.peers[number].player = make(sim.peers[number])
        tamper = invalid.make()
        sim.peers[1].tamper = tamper
        sim.run()
        if getattr(tamper, "fired", 0):
            return sim
    raise AssertionError(f"there was never an occasion to disturb: {invalid.name}")


@pytest.mark.parametrize("invalid", INVALID_PEERS, ids=lambda invalid: invalid.name)
def test_a_seat_that_disturbs_is_refused_or_dropped_and_nobody_is_blamed(
    invalid: InvalidPeer,
) -> None:
    sim = disturbed(invalid)
    assert_table_ended(sim)
    assert sim.host_role is not None
    gone = invalid.is_dropped
    assert any(isinstance(event, SeatDropped) for event in sim.peers[0].events) == gone
    # Of two players the disruptive one forfeits; of more, the others play on.
    two = gone and invalid.seats == 2
    assert sim.host_role.replay.closed is (CloseReason.FINISHED if two else CloseReason.STOPPED)
    found = reports(sim)
    for number, report in found.items():
        if number == 1 and not sim.peers[1].connected:
            continue
        assert report.verdict is AuditVerdict.VERIFIED
        assert {(each.seat, each.fault) for each in report.blame} <= {(1, Fault.NO_REVEAL)}
        assert bool(report.blame) is invalid.withheld
