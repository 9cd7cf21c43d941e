"""A share of a lost seat's seed that its receiver cannot or does not want to publish."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.faults import AuditVerdict, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import DropReason, HaltReason
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.round.round_record import ProtocolPhase
from tests.harness.log_table.elections import elect
from tests.harness.log_table.leaving import THREE, escrowing, proven
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.log_table.moments import playing


@pytest.mark.parametrize("masked", [False, True])
def test_a_void_round_asks_for_a_share_that_is_wrong(*, masked: bool) -> None:
    """A seat that has not masked yet may complain instead of publishing the wrong share."""
    table = escrowing()
    right = table.escrow(3)
    sealed = list(right.sealed)
    sealed[table.log.share_receivers(3).index(2)] = bytes(80)
    for seat in range(5):
        wrong = msgspec.structs.replace(right, sealed=tuple(sealed))
        table.add(seat, wrong if seat == 3 else table.escrow(seat))
    complaint = bodies.Complain(3, table.view_secrets(2).box_private(3))
    for seat in range(3) if masked else ():
        table.add(seat, table.take_pass(seat))
    table.add(4, bodies.Halt(HaltReason.NO_CARD, None))
    assert table.refusal_of(2, complaint) is RefusalReason.NOT_NOW  # no share is due
    table.drop(3)
    assert table.log.phase is ProtocolPhase.REVEAL
    assert AutomaticStep(2, AutomaticStepKind.SHARE, table.replay.number, 3) in automatic_steps(
        table.replay
    )
    if masked:
        assert table.refusal_of(2, complaint) is RefusalReason.NOT_NOW
        return
    table.add(2, complaint)
    assert not table.log.recovering
    table.run()
    assert (3, Fault.BAD_SHARE) in proven(table)


@pytest.fixture
def without_the_last() -> LogTable:
    """Four people in the middle of a round, the last of whom the host has dropped."""
    table = new_table(4, THREE, salt=3).run(playing)
    table.drop(3, DropReason.LOST)
    return table


def reachable(table: LogTable, of: int = 3, *, by: int | None = None) -> bodies.Halt:
    """Return a halt with a presence signature of the dropped player, or of `by` in its place."""
    drop = table.log.drop_hashes[of]
    digest = bodies.presence_digest(table.replay.table_id, of, drop)
    signer = identity(of if by is None else by)
    return bodies.Halt(HaltReason.REACHABLE, of, signer.sign(digest))


def test_a_receiver_keeps_its_share_after_the_round_too() -> None:
    """Otherwise a host could claim that the round is over and a seat is lost."""
    table = new_table(4, THREE, salt=3).run(playing)
    table.run(lambda each: each.log.phase is ProtocolPhase.REVEAL)
    table.drop(3, DropReason.SILENT)
    table.add(1, reachable(table))
    assert (table.log.void, table.log.result) == (VoidReason.LOST, None)
    assert not table.log.voided_by
    report = table.run().audit()
    assert not [blame for blame in report.blame if blame.seat != 3]


@pytest.mark.parametrize("reason", [DropReason.LOST, DropReason.SILENT, DropReason.ATTACK])
def test_a_receiver_that_reaches_a_dropped_player_ends_the_round(reason: DropReason) -> None:
    """Nobody is blamed and nobody has left, because host and player contradict each other."""
    table = new_table(4, THREE, salt=3).run(playing)
    table.drop(3, reason)
    table.add(1, reachable(table))
    assert table.log.void is VoidReason.LOST
    assert not table.log.voided_by
    assert not table.log.halts
    assert not automatic_steps(table.replay) or all(
        step.kind is AutomaticStepKind.REVEAL for step in automatic_steps(table.replay)
    )
    report = table.run().audit()
    assert report.verdict is AuditVerdict.VERIFIED
    assert proven(table) == []
    assert not table.replay.absence.voided_rounds


def test_only_a_receiver_that_still_owes_its_share_can_say_so(without_the_last: LogTable) -> None:
    table = without_the_last
    for of in (None, 2):
        wrong = msgspec.structs.replace(reachable(table), of=of)
        assert table.refusal_of(0, wrong) is RefusalReason.NOT_NOW
    right = reachable(table)
    table.add(0, table.share(0, 3))
    assert table.refusal_of(0, right) is RefusalReason.NOT_NOW


def test_a_reachable_halt_requires_the_signature_of_the_dropped_player(
    without_the_last: LogTable,
) -> None:
    """Otherwise a guest could end every round that goes badly for it, by claiming this."""
    table = without_the_last
    right = reachable(table)
    assert right.here is not None
    digest = bodies.presence_digest(table.replay.table_id, 3, table.replay.hashes[-2])
    elsewhere = bodies.presence_digest(bytes(32), 3, table.log.drop_hashes[3])
    for here in (
        None,
        bytes(64),
        reachable(table, by=0).here,
        identity(3).sign(digest),
        identity(3).sign(elsewhere),
    ):
        wrong = msgspec.structs.replace(right, here=here)
        assert table.refusal_of(0, wrong) is RefusalReason.ILLEGAL
    other = bodies.Halt(HaltReason.NO_CARD, None, right.here)
    assert table.refusal_of(0, other) is RefusalReason.WRONG_SHAPE
    table.add(0, right)


def test_a_player_with_a_signed_leave_voids_no_round_by_being_reachable() -> None:
    table = new_table(4, THREE, salt=3).run(playing)
    table.add(3, bodies.Leave())
    table.drop(3, DropReason.LEFT)
    assert table.refusal_of(1, reachable(table)) is RefusalReason.NOT_NOW


def test_a_host_expels_nobody_who_is_there_and_nobody_ends_rounds_without_end() -> None:
    """A reachable player that one host drops twice sits out while that host is the host."""
    table = new_table(4, THREE, rounds=9, salt=3)
    for again in (False, True):
        table.run(lambda each: playing(each) and 3 in each.engine.seats)
        table.drop(3, DropReason.SILENT)
        table.add(1, reachable(table))
        table.run(lambda each: each.replay.between_rounds)
        assert table.replay.absence.return_blocked(3, table.replay.host) is again
        if not again:
            table.add(3, bodies.Return())
    assert 3 in table.replay.match.playing, "it is not expelled"
    assert table.refusal_of(3, bodies.Return()) is RefusalReason.NOT_NOW
    elect(table, 1, 1, 0, 1, 2)
    table.add(3, bodies.Return())
    assert 3 not in table.replay.dropped
