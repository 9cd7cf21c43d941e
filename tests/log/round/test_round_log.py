"""The interface of a round: who may act in it, and the entries to which later steps are bound."""

from __future__ import annotations

import pytest

from lanuno.dealing.hashing import H
from lanuno.log.faults import BodyRefused, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HaltReason, RoundPayload
from lanuno.log.round import acting, closing, events, hand_transfer
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.manners import Matter
from tests.harness.log_table.log_table import LogTable
from tests.harness.log_table.moments import come_to

KEY = bytes(32)
PAYLOADS: tuple[RoundPayload, ...] = (
    bodies.Commit(KEY, KEY, (), KEY),
    bodies.Escrow((), ()),
    bodies.Complain(0, KEY),
    bodies.Pass(0, 0, b"", b""),
    bodies.Unlock((bodies.SlotKeyList(0, b""),)),
    bodies.Act(0, Draw(), b""),
    bodies.Reveal(KEY, KEY),
    bodies.Attest(KEY, ()),
    bodies.Halt(HaltReason.NO_CARD, None),
    bodies.HandOver(0, b"\x00"),
    bodies.Share(0, KEY),
)


def in_first_round(phase: ProtocolPhase) -> LogTable:
    """Return a table of four owners whose first round has just reached a phase."""
    return come_to(phase, 4, number=0)


@pytest.fixture(scope="module")
def committing() -> LogTable:
    return in_first_round(ProtocolPhase.COMMIT)


def refused(table: LogTable, seat: int, payload: RoundPayload) -> RefusalReason:
    """Return the reason for a refusal; check that it changes nothing."""
    before = table.log.public_state()
    with pytest.raises(BodyRefused) as raised:
        table.log.take(seat, payload, table.replay.seq, table.replay.seq - 1)
    assert table.log.public_state() == before
    return raised.value.refusal


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda each: type(each).__name__)
def test_only_a_seat_of_the_round_that_is_not_lost_may_act(
    committing: LogTable, payload: RoundPayload
) -> None:
    table = committing.fork()
    table.log.lost.add(2)
    assert refused(table, 2, payload) is RefusalReason.NOT_A_SEAT
    assert refused(table, 9, payload) is RefusalReason.NOT_A_SEAT


@pytest.mark.parametrize(
    "payload",
    [each for each in PAYLOADS if not isinstance(each, bodies.Commit | bodies.Halt)],
    ids=lambda each: type(each).__name__,
)
def test_before_all_have_committed_no_other_step_is_taken(
    committing: LogTable, payload: RoundPayload
) -> None:
    assert refused(committing.fork(), 1, payload) is RefusalReason.NOT_NOW


def test_the_clock_decides_nothing_before_the_cards_are_dealt(committing: LogTable) -> None:
    log = committing.fork().log
    before = log.public_state()
    with pytest.raises(BodyRefused) as raised:
        acting.time_out(log, bodies.TimeOut(0), 9)
    assert raised.value.refusal is RefusalReason.NOT_NOW
    with pytest.raises(BodyRefused) as raised:
        hand_transfer.settle(log, bodies.Settle(Matter.CARD), 9)
    assert raised.value.refusal is RefusalReason.NOT_NOW
    assert log.public_state() == before


def test_a_round_is_bound_to_its_open_entry_for_good() -> None:
    table = in_first_round(ProtocolPhase.ESCROW)
    assert table.log.open_hash == table.entries[0].hash
    table.log.note_entry_hash(H("later"))
    assert table.log.open_hash == table.entries[0].hash


def test_attestations_are_bound_to_the_entry_of_the_last_reveal() -> None:
    table = in_first_round(ProtocolPhase.REVEAL)
    table.log.note_entry_hash(H("in the reveal"))
    assert table.log.reveal_hash == b""
    table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
    last = table.entries[-1].hash
    table.add(0, table.attest(0))
    assert table.log.reveal_hash == last


def test_each_lost_seat_has_the_hash_of_its_own_drop() -> None:
    """Another drop, or any later entry, does not replace the hash."""
    table = in_first_round(ProtocolPhase.REVEAL)
    drops = []
    for seat in (3, 2):
        table.drop(seat)
        drops.append((seat, table.entries[-1].hash))
    table.add(1, table.reveal(1))
    assert table.log.drop_hashes == dict(drops)


@pytest.mark.parametrize("host", [0, None])
def test_only_a_drop_without_a_signed_leave_names_the_host(host: int | None) -> None:
    log = in_first_round(ProtocolPhase.COMMIT).log
    happened = log.drop((2,), 1, host)
    assert log.dropped_by == ({} if host is None else {2: host})
    assert (log.lost, log.void) == ({2}, VoidReason.LOST)
    assert isinstance(happened[0], events.RoundVoided)


def test_a_fault_from_outside_the_round_voids_it() -> None:
    log = in_first_round(ProtocolPhase.COMMIT).log
    happened = closing.convict(log, Fault.EQUIVOCATION, 1, 7, "one counter used twice")
    assert [(each.seat, each.fault, each.entry) for each in log.faults] == [
        (1, Fault.EQUIVOCATION, 7)
    ]
    assert events.FaultFound(log.faults[0]) in happened
    assert log.void is VoidReason.FAULT
