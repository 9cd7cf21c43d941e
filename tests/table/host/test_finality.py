"""The entries on the disks of a majority of owners, and what waits for them."""

from __future__ import annotations

import pytest

from lanuno.log.format import bodies
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import OpenHand, Show, Verdict
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.messages import AtTable
from tests.harness.host_and_seats.players import CROWDED, DOUBTERS
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim
from tests.harness.host_and_seats.table_state import (
    closed_as,
    host_role_of,
    in_round,
    withhold_acks,
)
from tests.harness.host_and_seats.timeline import timed_entries_of as entries_of
from tests.harness.host_and_seats.timeline import timeline

GRACE = float(Ruleset().grace_first_s)
STEP_SECONDS = 5.0


# ---- finality ---------------------------------------------------------------------------------


def test_with_two_owners_an_entry_is_final_only_on_both_disks() -> None:
    sim = TableSim(2, 1)
    withhold_acks(sim, 1)
    sim.start()
    for _ in range(400):
        sim.step()
    assert host_role_of(sim).replay.seq > 0
    assert host_role_of(sim).final_count == 0


def test_with_three_owners_an_entry_is_final_on_two_disks() -> None:
    sim = TableSim(3, 1)
    withhold_acks(sim, 2)
    sim.run()
    assert host_role_of(sim).final_count > 0
    assert closed_as(sim) is CloseReason.STOPPED


def test_bots_do_not_count_as_owners() -> None:
    """A host with any number of bots is one owner; its guest is the other."""
    sim = TableSim(5, 1, bots_of_host=3)
    withhold_acks(sim, 4)
    sim.start()
    for _ in range(400):
        sim.step()
    assert host_role_of(sim).final_count == 0
    sim = TableSim(5, 1, bots_of_host=3)
    for bot in (1, 2, 3):
        withhold_acks(sim, bot)
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED


class Asked:
    """Record when a peer is first asked for a secret, and check when it releases it."""

    def __init__(self, sim: TableSim, *, no_verdict: bool) -> None:
        self.no_verdict = no_verdict
        self.acts: list[type] = []
        self.since: dict[tuple[object, ...], int] = {}
        self.given: list[type] = []
        sim.on_entry = self.note
        for peer in sim.seated:
            peer.tamper = self.check

    def note(self, peer: SimPeer, _entry: object) -> None:
        replay = peer.seat_session.replay
        current = replay.round
        if current is None:
            return
        asked: list[tuple[object, ...]] = [("need", need) for need in current.needs]
        if current.phase >= ProtocolPhase.REVEAL:
            asked.append(("reveal",))
        if isinstance(current.engine, Round):
            asked.append(("show", current.engine.decision))
        for key in asked:
            self.since.setdefault((peer.number, current.number, *key), replay.seq)

    def check(self, peer: SimPeer, message: AtTable) -> list[AtTable]:
        if not isinstance(message, messages.Submit):
            return [message]
        body = message.body.read()
        given: list[tuple[object, ...]] = []
        match body.payload:
            case bodies.Unlock():
                given = [("need", keys.need) for keys in body.payload.lists]
            case bodies.Reveal():
                given = [("reveal",)]
            case bodies.Act(action=Verdict()) if self.no_verdict:
                return []
            case bodies.Act(action=Show() | OpenHand()):
                given = [("show", body.payload.decision)]
                self.acts.append(type(body.payload.action))
            case _:
                pass
        for key in given:
            assert (
                peer.seat_session.replica.final_count >= self.since[(peer.number, body.round, *key)]
            )
            self.given.append(type(body.payload))
        return [message]


def test_nobody_releases_a_secret_before_it_is_final() -> None:
    """Keys, shown hands and seeds wait until the entry that asks for them is final."""
    given: set[type] = set()
    acts: set[type] = set()
    for players in (2, 3):
        sim = TableSim(players, 0, CROWDED)
        for peer in sim.seated:
            peer.player = DOUBTERS[peer.number](peer)
        asked = Asked(sim, no_verdict=players == 3)
        sim.run()
        assert closed_as(sim) is CloseReason.STOPPED
        given |= set(asked.given)
        acts |= set(asked.acts)
    assert given == {bodies.Unlock, bodies.Reveal, bodies.Act}
    assert acts == {Show, OpenHand}


def test_a_round_ends_only_when_its_end_is_final() -> None:
    sim = TableSim(2, 1, rounds=2)
    sim.run_until(in_round(sim, 0, ProtocolPhase.DONE))
    assert not host_role_of(sim).final_count >= host_role_of(sim).replay.seq or closed_as(sim)
    sim.run()
    openings = [m for m in timeline(sim) if isinstance(m.payload, bodies.Open)]
    assert [m.payload.number for m in openings if isinstance(m.payload, bodies.Open)] == [0, 1, 2]


def test_an_owner_that_acknowledges_nothing_is_dropped_after_a_wait() -> None:
    sim = TableSim(2, 1)
    withhold_acks(sim, 1)
    sim.run()
    assert closed_as(sim) is CloseReason.FINISHED
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(1, DropReason.SILENT)
    assert drop.seconds == pytest.approx(STEP_SECONDS + GRACE, abs=0.5)


def test_another_owner_is_not_dropped_for_one_that_acknowledges_nothing() -> None:
    """Keys are not late while another owner holds up finality and so forbids their release."""
    for seed in range(3):
        sim = TableSim(2, seed)
        sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
        withhold_acks(sim, 1)
        sim.run()
        dropped = [drop.payload for drop in entries_of(sim, bodies.Drop)]
        assert dropped == [bodies.Drop(1, DropReason.SILENT)]
