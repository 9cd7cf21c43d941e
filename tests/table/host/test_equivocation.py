"""The equivocation detector: two bodies with one counter, two votes in one term, and its memory."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace

from lanuno.log.faults import BodyRefused, Fault, RefusalReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, Body, SignedBody
from lanuno.log.format.votes import SignedVote
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table.host.equivocation import REMEMBERED_BODIES, EquivocationDetector
from tests.harness.adversaries.forging import signed_with
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.host_and_seats.table_state import host_role_of, in_round, is_of
from tests.harness.log_table.elections import elect, vote, votes
from tests.harness.log_table.filling import BOT, fill_in_payload
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.log_table.moments import playing


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
    assert len(host._equivocation.seen[replay.public_key(1)]) <= REMEMBERED_BODIES


# ---- bodies -------------------------------------------------------------------------------------


@cache
def in_play() -> LogTable:
    return new_table(4).run(playing)


def said(table: LogTable, port: int, counter: int = 500, author: int = 1) -> SignedBody:
    return table.signed(author, bodies.Listen(port), counter=counter)


def contradiction(detector: EquivocationDetector, signed: SignedBody) -> bodies.Expose | None:
    return detector.contradicts_body(signed.read(), signed)


def test_two_bodies_with_one_counter_are_a_proof_that_the_log_accepts() -> None:
    table = in_play().fork()
    detector = EquivocationDetector(table.replay)
    one, two = said(table, 1), said(table, 2)
    assert contradiction(detector, one) is None
    proof = contradiction(detector, two)
    assert proof == bodies.Expose(one.body, one.signature, two.body, two.signature)
    table.add(HOST, proof)
    assert [(blame.seat, blame.fault) for blame in table.log.faults] == [(1, Fault.EQUIVOCATION)]


def test_the_same_bytes_other_counters_and_other_authors_contradict_nothing() -> None:
    table = in_play()
    detector = EquivocationDetector(table.replay)
    for signed in (
        said(table, 1),
        said(table, 1),
        said(table, 2, counter=501),
        said(table, 2, author=2),
    ):
        assert contradiction(detector, signed) is None


def test_a_forged_body_proves_nothing_and_is_not_remembered() -> None:
    """A peer that sends a body in another seat's name must not hide that seat's real one."""
    table = in_play()
    detector = EquivocationDetector(table.replay)
    forged = table.signed(1, bodies.Listen(9), counter=500, by=identity(2))
    assert contradiction(detector, forged) is None
    assert contradiction(detector, said(table, 1)) is None
    assert contradiction(detector, forged) is None
    assert contradiction(detector, said(table, 2)) is not None


def test_a_seat_is_exposed_once_in_a_round() -> None:
    table = in_play().fork()
    detector = EquivocationDetector(table.replay)
    contradiction(detector, said(table, 1))
    assert contradiction(detector, said(table, 2)) is not None
    assert contradiction(detector, said(table, 3)) is not None, "the proof is not in the log yet"
    detector.mark_exposed(1)
    with pytest.raises(BodyRefused) as refused:
        contradiction(detector, said(table, 4))
    assert refused.value.refusal is RefusalReason.ALREADY_DONE
    contradiction(detector, said(table, 1, author=2))
    assert contradiction(detector, said(table, 2, author=2)) is not None, "another seat"


def test_a_seat_can_be_exposed_again_in_the_next_round() -> None:
    table = new_table(4).run(lambda each: each.replay.round is not None)
    detector = EquivocationDetector(table.replay)
    detector.mark_exposed(1)
    table.run(lambda each: each.replay.number == 1)
    contradiction(detector, said(table, 1))
    assert contradiction(detector, said(table, 2)) is not None


def test_the_bodies_with_the_highest_counters_are_remembered() -> None:
    table = in_play()
    detector = EquivocationDetector(table.replay)
    first, last = 500, 500 + REMEMBERED_BODIES
    for counter in range(first, last + 1):
        assert contradiction(detector, said(table, 1, counter)) is None
    assert contradiction(detector, said(table, 2, last)) is not None
    assert contradiction(detector, said(table, 2, first + 1)) is not None
    assert contradiction(detector, said(table, 2, first)) is None, "it is forgotten"


def test_a_bot_in_a_seat_has_counters_of_its_own() -> None:
    table = new_table(4, PAIRS, rounds=2).run(playing)
    table.drop(3)
    table.run(lambda each: each.replay.between_rounds)
    detector = EquivocationDetector(table.replay)
    assert contradiction(detector, said(table, 1, author=3)) is None
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    assert contradiction(detector, said(table, 2, author=3)) is None
    assert contradiction(detector, said(table, 3, author=3)) is not None


# ---- votes --------------------------------------------------------------------------------------


def test_a_vote_is_compared_with_those_that_elected_a_host_of_this_log() -> None:
    table = new_table(4)
    elections = []
    for term, candidate in ((3, 1), (5, 2)):
        elections.append((term, candidate, votes(table, 1, 2, 3, candidate=candidate, term=term)))
        elect(table, candidate, term)
    detector = EquivocationDetector(table.replay)
    for term, candidate, given in elections:
        for voter, signed in zip((1, 2, 3), given, strict=True):
            other = vote(new_table(4), voter, candidate=3 - candidate, term=term)
            found = detector.contradicts_vote(other, table.entries)
            assert found == bodies.ExposeVotes(signed, other)


def test_a_vote_that_contradicts_no_election_proves_nothing() -> None:
    table = new_table(4)
    same = vote(table, 2, candidate=1, term=3)
    elect(table, 1, 3)
    detector = EquivocationDetector(table.replay)
    other = vote(new_table(4), 2, candidate=2, term=3)
    for signed in (
        same,
        vote(table, 2, candidate=2, term=2),
        vote(table, 2, candidate=2, term=0),
        vote(table, 0, candidate=2, term=3),
        SignedVote(b"nonsense", bytes(64)),
        SignedVote(other.vote, same.signature),
    ):
        assert detector.contradicts_vote(signed, table.entries) is None
