"""A challenger that withholds its verdict on a shown hand: the bluffer gains nothing by it."""

from __future__ import annotations

from collections.abc import Iterable

from lanuno.log.faults import AuditVerdict
from lanuno.log.format import bodies
from lanuno.log.format.entries import Entry
from lanuno.rules.engine import legality
from lanuno.rules.engine.actions import Verdict
from lanuno.rules.engine.events import ChallengeDecided
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.table.messages import AtTable, Submit
from tests.harness.host_and_seats.players import CROWDED, DOUBTERS
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim
from tests.harness.host_and_seats.verdicts import assert_table_ended, reports


class Truths:
    """The contents of every challenged hand, as its holder sees them."""

    def __init__(self) -> None:
        self.found: dict[tuple[int, int], bool] = {}
        """By number of the round and decision of the Show."""

    def __call__(self, peer: SimPeer, entry: Entry) -> None:
        del entry
        current = peer.seat_session.replay.round
        game = None if current is None else current.engine
        if current is None or not isinstance(game, Round) or game.phase is not RoundPhase.VERDICT:
            return
        if game.accused == peer.number:
            truth = legality.guilty(game, peer.seat_session._keys.readable())
            assert truth is not None
            self.found[current.number, game.decision] = truth


def no_verdict(peer: SimPeer, message: AtTable) -> Iterable[AtTable]:
    """Send every message but the verdict."""
    del peer
    payload = message.body.read().payload if isinstance(message, Submit) else None
    silent = isinstance(payload, bodies.Act) and isinstance(payload.action, Verdict)
    return [] if silent else [message]


def test_a_bluffer_draws_though_no_challenger_ever_gives_a_verdict() -> None:
    sim = TableSim(3, 1, CROWDED)
    for number, make in DOUBTERS.items():
        sim.peers[number].player = make(sim.peers[number])
        sim.peers[number].tamper = no_verdict
    sim.on_entry = truths = Truths()
    sim.run()
    assert_table_ended(sim)
    decided = [event for event in sim.peers[0].events if isinstance(event, ChallengeDecided)]
    assert [event.guilty for event in decided] == list(truths.found.values())
    assert any(event.guilty for event in decided)
    assert all(report.verdict is AuditVerdict.VERIFIED for report in reports(sim).values())
