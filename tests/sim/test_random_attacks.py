"""A peer or the host sends random nonsense: no node crashes, and no honest player is blamed."""

from __future__ import annotations

from random import Random

import pytest

from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.host_and_seats.verdicts import assert_table_ended, reports
from tests.sim.mutating import RandomHost, RandomPeer

PEERS = range(40)
HOSTS = range(1, 25)
"""Without 0: there the host leaves out an entry, and so stops its own table."""


def some_rules(chance: Random) -> Ruleset:
    """Return random rules: few or many cards, with or without house rules."""
    return Ruleset(
        hand_size=chance.choice((2, 4, 7)),
        seven_zero=chance.random() < 0.5,
        jump_in=chance.random() < 0.3,
        stack_cross=chance.random() < 0.3,
        manners=chance.choice((Manners.ENFORCED, Manners.ENFORCED, Manners.HONOUR)),
    )


@pytest.mark.parametrize("seed", PEERS)
def test_a_random_seat_harms_nobody(seed: int) -> None:
    chance = Random(seed)
    sim = TableSim(chance.choice((2, 2, 3, 4)), seed, some_rules(chance))
    attacker = chance.randrange(len(sim.seated))
    sim.peers[attacker].tamper = RandomPeer(
        chance, chance.choice((0.02, 0.1, 0.3)), in_lobby=seed % 5 == 0
    )
    sim.run()
    if sim.host_role is None:
        assert seed % 5 == 0
        return
    assert_table_ended(sim)
    reports(sim, attacker)


@pytest.mark.parametrize("seed", HOSTS)
def test_a_random_host_harms_nobody(seed: int) -> None:
    chance = Random(1000 + seed)
    sim = TableSim(chance.choice((2, 2, 3, 4)), seed, some_rules(chance))
    sim.rewrite = RandomHost(
        sim, chance, chance.choice((0.003, 0.01, 0.05)), in_lobby=seed % 5 == 0
    )
    sim.run()
    if sim.host_role is None:
        assert seed % 5 == 0
        return
    assert_table_ended(sim)
    reports(sim, 0)
