"""The audit of one round: manipulated rounds, missing seeds, and rounds without a seat."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.faults import AuditVerdict, Check, Fault, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, DropReason
from lanuno.log.round.round_audit import audit_round
from lanuno.log.round.round_record import Acted, ProtocolPhase, SlotOpened
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Challenge, Play, Show
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import (
    RANKS,
    come_to,
    dropped_before_its_mask,
    find,
    wrong_checks,
)


@pytest.fixture(scope="module")
def attesting() -> LogTable:
    return come_to(ProtocolPhase.ATTEST)


def test_an_audit_changes_nothing(attesting: LogTable) -> None:
    before = attesting.replay.state()
    assert audit_round(attesting.log) == audit_round(attesting.log)
    assert attesting.replay.state() == before


def test_an_opened_card_that_the_shuffle_did_not_put_there(attesting: LogTable) -> None:
    table = attesting.fork()
    opened = next(at for at, fed in enumerate(table.log.inputs) if isinstance(fed, SlotOpened))
    played = next(
        at
        for at, fed in enumerate(table.log.inputs)
        if isinstance(fed, Acted) and isinstance(fed.action, Play)
    )
    for at in (opened, played):
        log = table.fork().log
        fed = log.inputs[at]
        if isinstance(fed, SlotOpened):
            log.inputs[at] = SlotOpened(fed.entry, fed.slot, (fed.card + 1) % 108)
        elif isinstance(fed, Acted) and isinstance(fed.action, Play):
            other = msgspec.structs.replace(fed.action, card=(fed.action.card + 1) % 108)
            log.inputs[at] = Acted(fed.entry, fed.seat, other, by_clock=False)
        report = audit_round(log)
        assert not report.complete
        assert "held another card" in wrong_checks(report)[Check.CARDS]
        assert report.blamed == ()


def test_a_result_that_the_hands_do_not_give(attesting: LogTable) -> None:
    log = attesting.fork().log
    assert isinstance(log.result, RoundResult)
    points = tuple(each + 1 for each in log.result.points)
    log.result = msgspec.structs.replace(log.result, points=points)
    report = audit_round(log)
    assert wrong_checks(report) == {Check.SCORES: "not the result that the hands give"}
    assert not report.complete


def test_steps_without_seeds_are_reported_as_unchecked() -> None:
    """Without one seat's seeds, its steps, shares and hands are reported as unchecked."""
    table = new_table(4)
    table.run(lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.REVEAL)
    table.drop(3)
    table.drop(2)
    table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
    report = audit_round(table.log)
    assert set(wrong_checks(report)) == {
        Check.MASKS,
        Check.LOCKS,
        Check.CARDS,
        Check.RULES,
        Check.SCORES,
        Check.REVEALS,
        Check.SHARES,
    }
    assert (report.blamed, report.complete) == ((), False)
    assert [each.fault for each in report.blame] == [Fault.NO_REVEAL] * 2


def test_a_round_that_has_not_begun_is_not_complete() -> None:
    table = new_table(2)
    table.step()
    assert wrong_checks(audit_round(table.log)) == {
        Check.MASKS: "no shuffle was finished",
        Check.LOCKS: "no shuffle was finished",
        Check.REVEALS: "not begun",
        Check.SCORES: "the round was not finished",
    }
    table.add(HOST, bodies.Drop(1, DropReason.LOST))
    assert table.log.void is VoidReason.LOST
    checks = {check.name: check for check in audit_round(table.log).checks}
    assert checks[Check.SCORES].detail == "void: lost"


# ---- rounds that lost a seat ----------------------------------------------------------------


def test_a_wrong_box_for_a_leaver_is_not_judged() -> None:
    """The leaver's view seed is never revealed; a wrong box for it could harm nobody else."""

    def shown(table: LogTable) -> bool:
        return table.engine.phase is RoundPhase.VERDICT and table.engine.challenger != 0

    def bold(_table: LogTable, _seat: int, acts: tuple[Action, ...]) -> Action:
        fours = [act for act in acts if isinstance(act, Play) and RANKS[act.card] == Rank.WILD_FOUR]
        chosen: list[Action] = [act for act in acts if isinstance(act, Challenge | Show)]
        return [*chosen, *fours, *acts][0]

    table = find(shown, Ruleset(), players=4, choose=bold)
    challenger = table.engine.challenger
    table.drop(challenger)
    table.run()
    assert table.log.lost == {challenger}
    assert table.log.shown
    assert table.audit().verdict is AuditVerdict.VERIFIED
    assert table.audit().rounds[1].complete


def test_a_void_round_is_audited_as_far_as_it_goes() -> None:
    table = new_table(4, SHORT, salt=2)
    table.run(lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.ESCROW)
    table.drop(3)
    assert table.log.void is VoidReason.LOST
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_a_seat_lost_before_its_mask_has_no_part_in_the_shuffle() -> None:
    """Its seed is recovered but used in no list, so a report must not count it as shuffling."""
    report = dropped_before_its_mask().audit()
    assert report.verdict is AuditVerdict.VERIFIED
    assert [(each.round, each.left_out) for each in report.rounds] == [(0, ()), (1, (4,))]
