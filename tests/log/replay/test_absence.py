"""Absent players: who may leave and return, expulsion, forfeits, and partners."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from lanuno.log.faults import AuditVerdict, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, DropReason
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Draw
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.leaving import PAIRS, THREE
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import playing

BOTS: Mapping[int, int] = {4: 1}


@pytest.fixture(scope="module")
def five() -> LogTable:
    """Four people and a bot of the second person, in the middle of a round."""
    return new_table(5, THREE, bots=BOTS).run(playing)


def test_only_people_leave_and_are_dropped(five: LogTable) -> None:
    assert five.refusal_of(4, bodies.Leave()) is RefusalReason.NOT_A_SEAT
    assert five.refusal_of(HOST, bodies.Drop(4, DropReason.LOST)) is RefusalReason.NOT_A_SEAT
    table = five.fork()
    table.add(1, bodies.Leave())
    assert table.replay.owners == (0, 2, 3)
    table.drop(1, DropReason.LEFT)
    assert table.replay.leaving == set()


def test_coming_back_in_the_middle_of_a_round(five: LogTable) -> None:
    table = five.fork()
    assert table.refusal_of(1, bodies.Return()) is RefusalReason.NOT_NOW
    table.rounds = 2
    table.drop(1)
    assert table.refusal_of(4, bodies.Return()) is RefusalReason.NOT_NOW
    assert table.add(1, bodies.Return()) == [events.SeatReturned(1)]
    assert table.add(4, bodies.Return()) == [events.SeatReturned(4)]
    assert table.replay.owners == (0, 1, 2, 3)
    table.run(lambda each: not each.log.recovering)
    # The seat has lost its hand of this round.
    assert table.refusal_of(1, table.act(1, Draw())) is RefusalReason.NOT_A_SEAT
    table.run(lambda each: each.replay.number == 2)
    assert table.log.seats == (0, 1, 2, 3, 4)
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_two_voiding_leaves_and_out() -> None:
    table = new_table(3, SHORT, rounds=3).run(playing)
    for times in (1, 2):
        table.drop(2)
        assert table.log.void is VoidReason.LOST
        table.run(lambda each: each.replay.between_rounds)
        assert table.replay.absence.voided_rounds == {2: times}
        if times == 1:
            assert table.add(2, bodies.Return()) == [events.SeatReturned(2)]
            assert table.replay.match.absent == set()
            table.run(playing)
    assert events.SeatExpelled(2, cheated=False) in table.happened
    assert table.replay.match.playing == (0, 1)
    assert table.refusal_of(2, bodies.Return()) is RefusalReason.NOT_NOW
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_partners_do_not_play_without_each_other() -> None:
    table = new_table(4, PAIRS, rounds=9).run(playing)
    table.drop(3)
    table.run(lambda each: each.replay.between_rounds)
    assert table.log.void is VoidReason.LOST
    assert table.log.voided_by == {3}
    assert table.replay.next_plan() is None
    assert table.replay.can_continue


# ---- two owners -----------------------------------------------------------------------------


@pytest.mark.parametrize("reason", list(DropReason))
def test_of_two_people_the_other_wins(reason: DropReason) -> None:
    table = new_table(3, SHORT, bots={2: 0}).run(playing)
    table.drop(1, reason)
    assert table.log.void is VoidReason.LOST
    assert table.refusal_of(1, bodies.Return()) is RefusalReason.NOT_NOW
    table.run()
    assert events.Forfeited(1, 0) in table.happened
    assert table.replay.match.winners == (0,)
    assert table.replay.closed is CloseReason.FINISHED
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_a_host_may_give_the_match_to_the_only_other() -> None:
    table = new_table(2).run(playing)
    assert table.refusal_of(HOST, bodies.Drop(0, DropReason.LEFT)) is RefusalReason.NOT_NOW
    assert table.refusal_of(HOST, bodies.Drop(0, DropReason.LOST)) is RefusalReason.NOT_A_SEAT
    table.add(0, bodies.Leave())
    table.drop(0, DropReason.LEFT)
    table.run()
    assert table.replay.match.winners == (1,)
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_a_match_that_the_last_round_decided_is_not_given_away() -> None:
    rules = Ruleset(hand_size=2, format=Format.SINGLE)
    table = new_table(2, rules).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.ATTEST
    )
    table.drop(1)
    table.run()
    won = table.log.result
    assert won is not None
    assert not any(isinstance(each, events.Forfeited) for each in table.happened)


def test_nobody_wins_who_is_out() -> None:
    """One of three is expelled and another is gone for good: the last has nobody to win against."""
    table = new_table(3).run(lambda each: each.replay.between_rounds and each.replay.number == 0)
    table.replay.match.expel(1)
    table.drop(2)
    table.add(0, bodies.Leave())
    table.drop(0, DropReason.LEFT)
    assert not any(isinstance(each, events.Forfeited) for each in table.happened)
