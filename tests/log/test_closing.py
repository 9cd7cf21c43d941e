"""How rounds end: halted, left, revealed rightly and wrongly, attested."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log import bodies, events
from lanuno.log.bodies import HOST, CloseReason, DropReason, HaltReason
from lanuno.log.duties import Duty, DutyKind, duties
from lanuno.log.faults import Check, Fault, Refusal, Verdict, VoidReason
from lanuno.log.round_record import Phase
from lanuno.rules.results import DealerResult, RoundResult
from tests.harness.log_table.log_table import LogTable, new_table

HALT = bodies.Halt(HaltReason.NO_CARD, None)


def come_to(phase: Phase, players: int = 3, number: int = 1) -> LogTable:
    """A table whose round of this number has just come to a phase."""

    def there(table: LogTable) -> bool:
        current = table.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return new_table(players).run(there)


@pytest.fixture(scope="module")
def revealing() -> LogTable:
    return come_to(Phase.REVEAL)


@pytest.fixture(scope="module")
def attesting() -> LogTable:
    return come_to(Phase.ATTEST)


@pytest.fixture(scope="module")
def in_play() -> LogTable:
    return new_table(3).run(
        lambda each: each.replay.number == 1 and each.log.engine.decider is not None
    )


def verdict_of(table: LogTable) -> tuple[Verdict, list[tuple[int | None, Fault]]]:
    report = table.run().audit()
    return report.verdict, [(each.seat, each.fault) for each in report.blame]


# ---- halts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", sorted(set(HaltReason) - {HaltReason.REACHABLE}))
def test_whoever_halts_a_sound_round_is_named(in_play: LogTable, reason: HaltReason) -> None:
    table = in_play.fork()
    happened = table.say(1, bodies.Halt(reason, 2))
    assert isinstance(happened[0], events.RoundVoided)
    assert happened[0].reason is VoidReason.HALTED
    assert table.log.phase is Phase.REVEAL
    assert table.refused(2, HALT) is Refusal.NOT_NOW
    assert verdict_of(table) == (Verdict.CHEATING, [(1, Fault.FALSE_HALT)])
    assert events.SeatExpelled(1, cheated=True) in table.happened
    assert table.replay.match.playing == (0, 2)
    assert table.replay.closed is CloseReason.STOPPED
    assert [each.counted for each in table.replay.summaries] == [True, False, True]


def test_a_halt_suspects_only_who_plays(in_play: LogTable) -> None:
    assert in_play.refused(1, bodies.Halt(HaltReason.NO_CARD, 3)) is Refusal.WRONG_SHAPE


def test_a_halt_before_anybody_committed() -> None:
    table = new_table(2)
    table.step()
    table.say(1, HALT)
    assert table.log.phase is Phase.ATTEST
    assert verdict_of(table) == (Verdict.CHEATING, [(1, Fault.FALSE_HALT)])
    assert table.replay.match.winners == (0,)
    assert table.replay.closed is CloseReason.FINISHED


def test_a_halt_is_not_false_while_a_seed_is_missing(in_play: LogTable) -> None:
    """Nobody can tell then; the transcript is incomplete."""
    table = in_play.fork()
    table.say(1, HALT)
    table.say(HOST, bodies.Drop(2, DropReason.LOST))
    verdict, blame = verdict_of(table)
    assert (verdict, blame) == (Verdict.INCOMPLETE, [(2, Fault.NO_REVEAL)])


# ---- reveals --------------------------------------------------------------------------------


def test_seeds_come_out_when_the_round_is_over(in_play: LogTable, revealing: LogTable) -> None:
    assert in_play.refused(1, in_play.reveal(1)) is Refusal.NOT_NOW
    table = revealing.fork()
    assert {duty.kind for duty in duties(table.replay)} == {DutyKind.REVEAL}
    assert table.say(1, table.reveal(1)) == [events.Revealed(1)]
    assert table.refused(1, table.reveal(1)) is Refusal.ALREADY_DONE
    table.say(2, table.reveal(2))
    happened = table.say(0, table.reveal(0))
    assert isinstance(happened[-1], events.RoundRevealed)
    assert isinstance(happened[-1].result, RoundResult)
    assert table.log.last_head == table.replay.head


def test_a_seat_that_committed_to_nothing_has_nothing_to_reveal() -> None:
    table = new_table(2)
    table.step()
    table.say(0, table.commit(0))
    table.say(1, HALT)
    assert table.refused(1, table.reveal(1)) is Refusal.NOT_NOW
    assert table.log.missing() == (0,)


@pytest.mark.parametrize("field", ["seed", "view"])
def test_other_seeds_than_those_committed_to(revealing: LogTable, field: str) -> None:
    table = revealing.fork()
    wrong = msgspec.structs.replace(table.reveal(1), **{field: bytes(32)})
    happened = table.say(1, wrong)
    assert isinstance(happened[1], events.FaultFound)
    assert table.log.void is VoidReason.FAULT
    verdict, blame = verdict_of(table)
    assert (verdict, set(blame)) == (Verdict.CHEATING, {(1, Fault.BAD_COMMITMENT)})


def test_a_seed_that_never_comes_is_no_proof_and_nothing_verified(revealing: LogTable) -> None:
    table = revealing.fork()
    table.say(1, table.reveal(1))
    table.say(HOST, bodies.Drop(2, DropReason.SILENT))
    assert table.log.withheld == {2: table.replay.seq - 1}
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
        (msgspec.structs.replace(right, reveal=bytes(32)), Refusal.STALE_DECISION),
        (msgspec.structs.replace(right, blamed=(2, 0)), Refusal.WRONG_SHAPE),
        (msgspec.structs.replace(right, blamed=(2, 2)), Refusal.WRONG_SHAPE),
        (msgspec.structs.replace(right, blamed=(3,)), Refusal.WRONG_SHAPE),
    ):
        assert attesting.refused(1, wrong) is why
    table = attesting.fork()
    assert table.say(1, right) == [events.Attested(1, ())]
    assert table.refused(1, right) is Refusal.ALREADY_DONE
    assert duties(table.replay) == (
        Duty(0, DutyKind.ATTEST, 1),
        Duty(2, DutyKind.ATTEST, 1),
    )


def test_whoever_attests_a_fault_that_is_not_there_is_named(attesting: LogTable) -> None:
    table = attesting.fork()
    table.say(1, msgspec.structs.replace(table.attest(1), blamed=(0, 2)))
    # Also where the log is cut before the others have attested.
    cut = table.audit()
    assert [(each.seat, each.fault) for each in cut.blame] == [(1, Fault.FALSE_HALT)]
    assert verdict_of(table) == (Verdict.CHEATING, [(1, Fault.FALSE_HALT)])
    assert table.replay.closed is CloseReason.CHEATING


def test_to_attest_nothing_where_there_is_something_is_no_fault(revealing: LogTable) -> None:
    """Scores come from the log and verdicts from the audit, never from attestations."""
    table = revealing.fork()
    table.say(1, msgspec.structs.replace(table.reveal(1), seed=bytes(32)))
    table.run(lambda each: each.log.phase is Phase.ATTEST)
    for seat in range(3):
        table.say(seat, bodies.Attest(table.log.last_head, ()))
    assert table.replay.summaries[-1].counted is False
    verdict, blame = verdict_of(table)
    assert (verdict, set(blame)) == (Verdict.CHEATING, {(1, Fault.BAD_COMMITMENT)})


# ---- seats that go --------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("phase", [Phase.COMMIT, Phase.PLAY, Phase.REVEAL, Phase.ATTEST])
def test_a_round_ends_without_a_seat(number: int, phase: Phase) -> None:
    table = come_to(phase, number=number)
    table.say(HOST, bodies.Drop(2, DropReason.LOST))
    assert 2 not in [duty.seat for duty in duties(table.replay)]
    assert (table.log.void is None) == (phase is Phase.ATTEST)
    verdict, blame = verdict_of(table)
    assert verdict is Verdict.VERIFIED
    assert {fault for _, fault in blame} <= {Fault.NO_REVEAL}
    assert table.replay.closed is CloseReason.STOPPED
    assert table.log.seats == (0, 1) or (phase, number) == (Phase.ATTEST, 1)


def test_a_seat_that_has_revealed_can_go_without_harm(revealing: LogTable) -> None:
    table = revealing.fork()
    table.say(2, table.reveal(2))
    table.drop(2, DropReason.LEFT)
    assert table.log.void is None
    table.run()
    assert table.replay.summaries[-1].counted
    assert table.audit().verdict is Verdict.VERIFIED


def test_a_seat_can_go_between_rounds() -> None:
    table = come_to(Phase.DONE)
    assert table.drop(2, DropReason.LEFT) == [events.SeatDropped(2, DropReason.LEFT)]
    assert table.log.lost == set()
    plan = table.replay.next_plan()
    assert plan is not None
    assert plan.seats == (0, 1)


def test_a_second_loss_leaves_one_who_wins(in_play: LogTable) -> None:
    table = in_play.fork()
    table.say(HOST, bodies.Drop(2, DropReason.LOST))
    table.say(HOST, bodies.Drop(1, DropReason.LOST))
    assert table.log.void is VoidReason.LOST
    assert verdict_of(table)[0] is Verdict.VERIFIED
    assert table.replay.match.winners == (0,)
    assert table.replay.closed is CloseReason.FINISHED


# ---- duties ---------------------------------------------------------------------------------


def test_duties_are_what_everybody_waits_for(played: LogTable) -> None:
    """In every state of a whole log: of those who may do them, and refused to nobody."""
    kinds: set[DutyKind] = set()
    table = new_table(2)
    assert duties(table.replay) == ()
    for entry in played.entries:
        owed = duties(table.replay)
        kinds |= {duty.kind for duty in owed}
        for duty in owed:
            assert duty.seat in table.log.seats
            assert duty.round == table.replay.number
        table.replay.follow(entry)
    assert duties(table.replay) == ()
    assert kinds == {
        DutyKind.COMMIT,
        DutyKind.PASS,
        DutyKind.UNLOCK,
        DutyKind.REVEAL,
        DutyKind.ATTEST,
    }


def test_every_duty_can_be_done_in_any_order() -> None:
    for pick in (0, -1):
        table = new_table(4)
        kinds: set[DutyKind] = set()
        while table.replay.closed is None:
            owed = duties(table.replay)
            if not owed:
                table.step()
                continue
            kinds.add(owed[pick].kind)
            table.say(owed[pick].seat, table.duty(owed[pick]))
        assert DutyKind.ESCROW in kinds
        assert table.audit().verdict is Verdict.VERIFIED


def test_nothing_is_due_between_rounds_and_after_the_close(played: LogTable) -> None:
    assert duties(come_to(Phase.DONE).replay) == ()
    assert duties(played.replay) == ()
    closed = come_to(Phase.COMMIT)
    closed.say(HOST, closed.close(CloseReason.INCOMPLETE))
    assert duties(closed.replay) == ()


def test_the_dealer_follows_from_the_cards(played: LogTable) -> None:
    chosen = next(each for each in played.happened if isinstance(each, events.RoundClosed))
    assert isinstance(chosen.result, DealerResult)
    second = [each for each in played.happened if isinstance(each, events.RoundOpened)][1]
    assert second.dealer == chosen.result.dealer
