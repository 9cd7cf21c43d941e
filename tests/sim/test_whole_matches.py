"""Honest tables of every size, from the waiting room to a verified file."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.log.format.entries import Entry
from lanuno.log.round.events import RoundClosed
from lanuno.rules.presets import EXPRESS, MASTERS
from lanuno.rules.ruleset import Manners, Ruleset, UnoRule, WildFour
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim
from tests.harness.host_and_seats.verdicts import reports

LOOSE = replace(MASTERS, wild_four=WildFour.BLUFF, uno=UnoRule.CATCH)
"""A match of a single round; everything else as usual."""


def verified(sim: TableSim) -> None:
    """Check that all peers hold the same verified file as the host."""
    for report in reports(sim).values():
        assert report.verdict is AuditVerdict.VERIFIED
    files = {peer.file for peer in sim.peers}
    assert len(files) == 1
    assert [entry.core for entry in sim.journal] == [entry.core for entry in sim.peers[-1].journal]
    assert not any(peer.stopped or peer.turned_away for peer in sim.peers)


@pytest.mark.parametrize(
    ("players", "bots", "seed"),
    [(2, 0, 1), (2, 0, 2), (3, 0, 3), (3, 2, 4), (4, 0, 5), (4, 1, 6), (6, 3, 7), (10, 8, 8)],
)
def test_a_round_is_the_same_for_everybody_and_verified(players: int, bots: int, seed: int) -> None:
    few = Ruleset(hand_size=7 if players < 5 else 3)
    sim = TableSim(players, seed, few, bots_of_host=bots, spectators=1 if players < 4 else 0)
    sim.every_audit = True
    sim.admit_spectators()
    sim.run()
    verified(sim)
    assert sim.host_role is not None
    assert sim.host_role.replay.closed is CloseReason.STOPPED


@pytest.mark.parametrize("players", [2, 3])
def test_every_state_is_the_same_on_every_peer(players: int) -> None:
    sim = TableSim(players, 11, spectators=1)
    states: list[dict[int, bytes]] = [{} for _ in sim.peers]

    def note(peer: SimPeer, entry: Entry) -> None:
        replay = peer.seat_session.replay
        states[peer.number][replay.seq] = replay.state()

    sim.on_entry = note
    sim.admit_spectators()
    sim.run()
    verified(sim)
    for seen in states:
        assert len(seen) > len(sim.journal) // 2
        for number, state in seen.items():
            assert state == sim.journal[number - 1].read().state


@pytest.mark.parametrize(
    ("players", "ruleset"),
    [
        (2, replace(EXPRESS, target_two=60)),
        (3, MASTERS),
        (3, replace(LOOSE, seven_zero=True, jump_in=True, stack_cross=True)),
        (3, replace(LOOSE, manners=Manners.HONOUR, advice=True)),
        (2, replace(LOOSE, draw_until_playable=True, forced_play=True, no_bluff=True)),
    ],
)
def test_a_whole_match_has_a_winner_and_is_verified(players: int, ruleset: Ruleset) -> None:
    sim = TableSim(players, 21, ruleset, rounds=None)
    sim.run()
    verified(sim)
    report = audit_bytes(sim.peers[0].file)
    assert report.closed is CloseReason.FINISHED
    assert len(report.winners) >= 1
    closed = [event for event in sim.peers[0].events if isinstance(event, RoundClosed)]
    assert len(closed) == len(report.rounds)
    assert all(event.counted for event in closed)


def test_one_seed_plays_one_table() -> None:
    first, second = TableSim(3, 31), TableSim(3, 31)
    first.run()
    second.run()
    assert [entry.read().state for entry in first.journal] == [
        entry.read().state for entry in second.journal
    ]


def test_a_late_spectator_sees_the_same_table() -> None:
    """A spectator who joins in the middle fetches the log in pages and catches up."""
    sim = TableSim(2, 41, spectators=1, rounds=3)
    sim.run_until(lambda: len(sim.journal) > 120)
    sim.admit_spectators()
    sim.run()
    verified(sim)
    late = sim.spectators[0].seat_session
    assert late.replay.state() == sim.peers[0].seat_session.replay.state()
