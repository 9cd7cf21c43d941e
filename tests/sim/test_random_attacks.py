"""One peer, or the host, says random nonsense: nobody falls over, nobody honest is blamed."""

from __future__ import annotations

from random import Random

import pytest

from lanuno.rules.ruleset import Ruleset
from tests.sim.judging import reports, the_table_ended
from tests.sim.mutating import RandomHost, RandomPeer
from tests.sim.table_sim import TableSim

PEERS = range(60)
HOSTS = range(40)


@pytest.mark.parametrize("seed", PEERS)
def test_a_random_seat_harms_nobody(seed: int) -> None:
    chance = Random(seed)
    players = chance.choice((2, 2, 3, 4))
    sim = TableSim(players, seed, Ruleset(hand_size=chance.choice((2, 4, 7))))
    attacker = chance.randrange(players)
    sim.peers[attacker].tamper = RandomPeer(chance, chance.choice((0.02, 0.1, 0.3)))
    sim.run()
    if sim.sequencer is None:
        return
    the_table_ended(sim)
    reports(sim, attacker)


@pytest.mark.parametrize("seed", HOSTS)
def test_a_random_host_harms_nobody(seed: int) -> None:
    chance = Random(1000 + seed)
    players = chance.choice((2, 2, 3, 4))
    sim = TableSim(players, seed, Ruleset(hand_size=chance.choice((2, 4, 7))))
    sim.rewrite = RandomHost(sim, chance, chance.choice((0.003, 0.01, 0.05)))
    sim.run()
    if sim.sequencer is None:
        return
    the_table_ended(sim)
    reports(sim, 0)
