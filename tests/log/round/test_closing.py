"""The end of rounds: halts, lost seats, right and wrong reveals, attestations."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.faults import AuditVerdict, Check, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, DropReason, HaltReason
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.results import RoundResult
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import come_to

HALT = bodies.Halt(HaltReason.NO_CARD, None)


@pytest.fixture(scope="module")
def revealing() -> LogTable:
    return come_to(ProtocolPhase.REVEAL)


@pytest.fixture(scope="module")
def attesting() -> LogTable:
    return come_to(ProtocolPhase.ATTEST)


@pytest.fixture(scope="module")
def in_play() -> LogTable:
    return new_table(3).run(
        lambda each: each.replay.number == 1 and each.log.engine.decider is not None
    )


def verdict_of(table: LogTable) -> tuple[AuditVerdict, list[tuple[int | None, Fault]]]:
    report = table.run().audit()
    return report.verdict, [(each.seat, each.fault) for each in report.blame]


# ---- halts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", sorted(set(HaltReason) - {HaltReason.REACHABLE}))
def test_a_halt_of_a_sound_round_is_blamed(in_play: LogTable, reason: HaltReason) -> None:
    table = in_play.fork()
    happened = table.add(1, bodies.Halt(reason, 2))
    assert isinstance(happened[0], events.RoundVoided)
    assert happened[0].reason is VoidReason.HALTED
    assert table.log.phase is ProtocolPhase.REVEAL
    assert table.refusal_of(2, HALT) is RefusalReason.NOT_NOW
    assert verdict_of(table) == (AuditVerdict.CHEATING, [(1, Fault.FALSE_HALT)])
    assert events.SeatExpelled(1, cheated=True) in table.happened
    assert table.replay.match.playing == (0, 2)
    assert table.replay.closed is CloseReason.STOPPED
    assert [each.counted for each in table.replay.summaries] == [True, False, True]


def test_a_halt_suspects_only_who_plays(in_play: LogTable) -> None:
    assert in_play.refusal_of(1, bodies.Halt(HaltReason.NO_CARD, 3)) is RefusalReason.WRONG_SHAPE


def test_a_halt_before_anybody_committed() -> None:
    table = new_table(2)
    table.step()
    table.add(1, HALT)
    assert table.log.phase is ProtocolPhase.ATTEST
    assert verdict_of(table) == (AuditVerdict.CHEATING, [(1, Fault.FALSE_HALT)])
    assert table.replay.match.winners == (0,)
    assert table.replay.closed is CloseReason.FINISHED


def test_a_halt_is_not_false_while_a_seed_is_missing(in_play: LogTable) -> None:
    """Nobody can judge the halt then; the transcript is incomplete."""
    table = in_play.fork()
    table.add(1, HALT)
    table.add(HOST, bodies.Drop(2, DropReason.LOST))
    verdict, blame = verdict_of(table)
    assert (verdict, blame) == (AuditVerdict.INCOMPLETE, [(2, Fault.NO_REVEAL)])


# ---- reveals --------------------------------------------------------------------------------


def test_seeds_come_out_when_the_round_is_over(in_play: LogTable, revealing: LogTable) -> None:
    assert in_play.refusal_of(1, in_play.reveal(1)) is RefusalReason.NOT_NOW
    table = revealing.fork()
    assert {step.kind for step in automatic_steps(table.replay)} == {AutomaticStepKind.REVEAL}
    assert table.add(1, table.reveal(1)) == [events.Revealed(1)]
    assert table.refusal_of(1, table.reveal(1)) is RefusalReason.ALREADY_DONE
    table.add(2, table.reveal(2))
    happened = table.add(0, table.reveal(0))
    assert isinstance(happened[-1], events.RoundRevealed)
    assert isinstance(happened[-1].result, RoundResult)
    assert table.log.reveal_hash == table.replay.head


def test_a_seat_that_committed_to_nothing_has_nothing_to_reveal() -> None:
    table = new_table(2)
    table.step()
    table.add(0, table.commit(0))
    table.add(1, HALT)
    assert table.refusal_of(1, table.reveal(1)) is RefusalReason.NOT_NOW
    assert table.log.missing() == (0,)


@pytest.mark.parametrize("field", ["seed", "view"])
def test_other_seeds_than_those_committed_to(revealing: LogTable, field: str) -> None:
    table = revealing.fork()
    wrong = msgspec.structs.replace(table.reveal(1), **{field: bytes(32)})
    happened = table.add(1, wrong)
    assert isinstance(happened[1], events.FaultFound)
    assert table.log.void is VoidReason.FAULT
    verdict, blame = verdict_of(table)
    assert (verdict, set(blame)) == (AuditVerdict.CHEATING, {(1, Fault.BAD_COMMITMENT)})


def test_a_seat_dropped_before_its_reveal_leaves_the_round_unverified(revealing: LogTable) -> None:
    table = revealing.fork()
    table.add(1, table.reveal(1))
    table.add(HOST, bodies.Drop(2, DropReason.SILENT))
    assert table.log.dropped_in_reveal == {2: table.replay.seq - 1}
    assert table.log.void is VoidReason.LOST
    table.run(lambda each: each.replay.between_rounds)
    report = table.audit()
    assert [(each.seat, each.fault) for each in report.blame] == [(2, Fault.NO_REVEAL)]
    assert not report.rounds[-1].complete
    checks = {check.name: check for check in report.rounds[-1].checks}
    assert not checks[Check.REVEALS].ok
    assert checks[Check.REVEALS].detail == "no seeds from: p2"


# ---- attestations ---------------------------------------------------------------------------


def test_an_attestation_names_what_was_checked(attesting: LogTable) -> None:
    right = attesting.attest(1)
    assert right.blamed == ()
    for wrong, why in (
        (msgspec.structs.replace(right, reveal=bytes(32)), RefusalReason.STALE_DECISION),
        (msgspec.structs.replace(right, blamed=(2, 0)), RefusalReason.WRONG_SHAPE),
        (msgspec.structs.replace(right, blamed=(2, 2)), RefusalReason.WRONG_SHAPE),
        (msgspec.structs.replace(right, blamed=(3,)), RefusalReason.WRONG_SHAPE),
    ):
        assert attesting.refusal_of(1, wrong) is why
    table = attesting.fork()
    assert table.add(1, right) == [events.Attested(1, ())]
    assert table.refusal_of(1, right) is RefusalReason.ALREADY_DONE
    assert automatic_steps(table.replay) == (
        AutomaticStep(0, AutomaticStepKind.ATTEST, 1),
        AutomaticStep(2, AutomaticStepKind.ATTEST, 1),
    )


def test_a_false_attestation_is_blamed(attesting: LogTable) -> None:
    table = attesting.fork()
    table.add(1, msgspec.structs.replace(table.attest(1), blamed=(0, 2)))
    # It is also blamed if the log is cut before the other seats have attested.
    cut = table.audit()
    assert [(each.seat, each.fault) for each in cut.blame] == [(1, Fault.FALSE_HALT)]
    assert verdict_of(table) == (AuditVerdict.CHEATING, [(1, Fault.FALSE_HALT)])
    assert table.replay.closed is CloseReason.CHEATING


def test_to_attest_nothing_where_there_is_something_is_no_fault(revealing: LogTable) -> None:
    """Scores come from the log and verdicts from the audit, never from attestations."""
    table = revealing.fork()
    table.add(1, msgspec.structs.replace(table.reveal(1), seed=bytes(32)))
    table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
    for seat in range(3):
        table.add(seat, bodies.Attest(table.log.reveal_hash, ()))
    assert table.replay.summaries[-1].counted is False
    verdict, blame = verdict_of(table)
    assert (verdict, set(blame)) == (AuditVerdict.CHEATING, {(1, Fault.BAD_COMMITMENT)})


# ---- lost seats -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize(
    "phase", [ProtocolPhase.COMMIT, ProtocolPhase.PLAY, ProtocolPhase.REVEAL, ProtocolPhase.ATTEST]
)
def test_a_round_ends_without_a_seat(number: int, phase: ProtocolPhase) -> None:
    table = come_to(phase, number=number)
    table.add(HOST, bodies.Drop(2, DropReason.LOST))
    assert 2 not in [step.seat for step in automatic_steps(table.replay)]
    assert (table.log.void is None) == (phase is ProtocolPhase.ATTEST)
    verdict, blame = verdict_of(table)
    assert verdict is AuditVerdict.VERIFIED
    assert {fault for _, fault in blame} <= {Fault.NO_REVEAL}
    assert table.replay.closed is CloseReason.STOPPED
    assert table.log.seats == (0, 1) or (phase, number) == (ProtocolPhase.ATTEST, 1)


def test_a_seat_that_has_revealed_can_go_without_harm(revealing: LogTable) -> None:
    table = revealing.fork()
    table.add(2, table.reveal(2))
    table.drop(2, DropReason.LEFT)
    assert table.log.void is None
    table.run()
    assert table.replay.summaries[-1].counted
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_a_seat_can_go_between_rounds() -> None:
    table = come_to(ProtocolPhase.DONE)
    assert table.drop(2, DropReason.LEFT) == [events.SeatDropped(2, DropReason.LEFT)]
    assert table.log.lost == set()
    plan = table.replay.next_plan()
    assert plan is not None
    assert plan.seats == (0, 1)


def test_a_second_loss_leaves_one_who_wins(in_play: LogTable) -> None:
    table = in_play.fork()
    table.add(HOST, bodies.Drop(2, DropReason.LOST))
    table.add(HOST, bodies.Drop(1, DropReason.LOST))
    assert table.log.void is VoidReason.LOST
    assert verdict_of(table)[0] is AuditVerdict.VERIFIED
    assert table.replay.match.winners == (0,)
    assert table.replay.closed is CloseReason.FINISHED
