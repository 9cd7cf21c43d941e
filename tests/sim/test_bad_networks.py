"""Honest players on a bad network: slow messages, running clocks, broken connections.

However late messages are, no player is blamed for it, and no player receives a false report.
"""

from __future__ import annotations

from random import Random

import pytest

from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.rules.ruleset import Ruleset, UnoRule
from tests.harness.host_and_seats.players import Catcher, Doubter, Hoarder, Late, Quiet
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.host_and_seats.verdicts import assert_table_ended, blamed, reports

SEEDS = range(16)
STEPS = 4_000


def on_a_bad_network(seed: int) -> TableSim:
    """Return a table where time passes while messages are in transit and connections break."""
    chance = Random(seed)
    rules = Ruleset(
        hand_size=chance.choice((2, 3, 7)),
        turn_clock_s=30,
        uno=chance.choice((UnoRule.CATCH, UnoRule.AUTOMATIC)),
        seven_zero=chance.random() < 0.3,
        jump_in=chance.random() < 0.3,
        draw_until_playable=chance.random() < 0.3,
        grace_total_s=chance.choice((30, 600, 3600)),
    )
    sim = TableSim(chance.choice((2, 3, 4)), seed, rules)
    for peer in sim.seated:
        make = chance.choice((Catcher, Doubter, Hoarder, Late, Quiet))
        peer.player = make(peer)
    sim.run_until(lambda: sim.host_role is not None)
    host_role = sim.host_role
    assert host_role is not None
    often = chance.choice((0.01, 0.05, 0.2))
    breaks = chance.choice((0.0, 0.0, 0.001))
    for _ in range(STEPS):
        if host_role.replay.closed is not None:
            break
        if chance.random() < often:
            sim.now += chance.choice((0.1, 1.0, 3.0, 8.0)) * chance.random()
            sim.tick()
        elif chance.random() < breaks:
            sim.disconnect(chance.randrange(1, len(sim.seated)))
        elif not sim.step() and not sim.let_time_pass():
            break
    sim.stop()
    sim.run()
    return sim


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_is_blamed_for_the_network(seed: int) -> None:
    sim = on_a_bad_network(seed)
    assert_table_ended(sim)
    assert sim.host_role is not None
    closed = sim.host_role.replay.closed
    assert closed in (CloseReason.STOPPED, CloseReason.INCOMPLETE, CloseReason.FINISHED)
    for peer in sim.peers:
        assert peer.stopped is None
    found = reports(sim)
    right = AuditVerdict.INCOMPLETE if closed is CloseReason.INCOMPLETE else AuditVerdict.VERIFIED
    host = audit_bytes(sim.peers[0].file)
    assert host.verdict is right
    for report in found.values():
        assert not blamed(report)
