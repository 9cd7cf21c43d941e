"""What decided a match: every report states what rests on the host's claim alone."""

from __future__ import annotations

import pytest

from lanuno.log.audit.audit import Report
from lanuno.log.faults import AuditVerdict, Fault, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, DropReason
from lanuno.log.replay.course import Decided, DroppedSeat
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.filling import BOT, fill_in_payload
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import deciding, dropped_twice_as_silent, playing

LONG = Ruleset(hand_size=5, format=Format.SINGLE)
WORDS = [reason for reason in DropReason if reason is not DropReason.LEFT]


def verified(table: LogTable) -> Report:
    report = table.run().audit()
    assert report.verdict is AuditVerdict.VERIFIED
    return report


def test_a_match_without_anything_is_decided_by_its_cards(finished: LogTable) -> None:
    report = verified(finished)
    assert report.decided is Decided.CARDS
    assert report.counted == (1,)
    assert (report.dropped, report.clock, report.expelled) == ((), (), ())
    assert report.forfeited is None
    assert [each.seats for each in report.rounds] == [(0, 1, 2)] * 2
    assert [each.unrevealed for each in report.rounds] == [(), ()]


def test_a_match_without_counted_rounds_is_not_decided() -> None:
    table = new_table(3).run(deciding)
    assert table.audit().decided is None
    table.drop(1)
    report = table.run(lambda each: each.replay.between_rounds).audit()
    assert (report.decided, report.counted) == (None, ())


def test_a_match_with_a_player_dropped_twice_as_silent_is_decided_by_absence() -> None:
    """The attack: an honest player is out, and the only evidence is the host's word."""
    table = dropped_twice_as_silent()
    report = verified(table)
    assert report.decided is Decided.ABSENCE
    assert report.expelled == (1,)
    assert [(each.seat, each.reason) for each in report.dropped] == [(1, DropReason.SILENT)] * 2
    assert [each.round for each in report.dropped] == [1, 3]
    assert not any(each.signed for each in report.dropped)
    void = [report.rounds[number] for number in (1, 3)]
    assert [each.void for each in void] == [VoidReason.LOST] * 2
    assert [each.unrevealed for each in void] == [(1,), (1,)]
    assert report.counted == (2,)


def test_every_turn_timed_out_with_times_that_the_host_made_up() -> None:
    """Nobody can prove that no time has passed, but the report tells who played."""
    table = new_table(3, LONG)
    while table.replay.closed is None:
        if deciding(table):
            table.add(HOST, bodies.TimeOut(table.engine.decision))
            if table.replay.seq > 700:
                break
        else:
            table.step()
    # Drawing never ends a round, so the last cards are played.
    report = verified(table)
    assert report.decided is Decided.ABSENCE
    turns = dict(report.clock)
    assert set(turns) == {0, 1, 2}
    assert min(turns.values()) > 5


@pytest.mark.parametrize(("idle", "decided"), [(1, Decided.CARDS), (2, Decided.ABSENCE)])
def test_two_idle_turns_are_an_absence_and_one_is_not(idle: int, decided: Decided) -> None:
    table = new_table(2, LONG)
    for _ in range(idle):
        table.run(lambda each: deciding(each) and each.engine.decider == 1 and new_turn(each))
        turn = table.engine.turns
        while table.engine.turns == turn and table.engine.decider == 1 and deciding(table):
            # Drawing and keeping the drawn card are one turn.
            table.add(HOST, bodies.TimeOut(table.engine.decision))
            table.run(lambda each: each.engine.decider is not None and deciding(each))
    report = verified(table)
    assert report.decided is decided
    assert dict(report.clock) == {1: idle}


def new_turn(table: LogTable) -> bool:
    return table.engine.turns not in table.log.clock_turns.get(1, ())


def test_turns_of_the_clock_in_a_void_round_are_not_counted() -> None:
    table = new_table(3, LONG).run(deciding)
    table.add(HOST, bodies.TimeOut(table.engine.decision))
    table.drop(1, DropReason.LEFT)
    assert verified(table).clock == ()


@pytest.mark.parametrize("reason", DropReason)
def test_a_drop_during_play_decides_by_absence_unless_the_player_left(reason: DropReason) -> None:
    table = new_table(5, LONG).run(playing)
    table.drop(1, reason)
    report = verified(table)
    assert report.counted == (1,)
    left = reason is DropReason.LEFT
    assert report.decided is (Decided.CARDS if left else Decided.ABSENCE)
    entry = next(
        number
        for number, each in enumerate(table.entries)
        if isinstance(each.read().signed_body.read().payload, bodies.Drop)
    )
    assert report.dropped == (DroppedSeat(1, reason, 1, entry),)


@pytest.mark.parametrize("reason", WORDS)
def test_a_drop_after_play_leaves_the_match_decided_by_cards(reason: DropReason) -> None:
    table = new_table(3, LONG).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.ATTEST
    )
    table.drop(1, reason)
    assert verified(table).decided is Decided.CARDS


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("reason", [DropReason.LOST, DropReason.LEFT])
def test_a_round_that_begins_without_a_dropped_player(reason: DropReason, number: int) -> None:
    table = new_table(4, SHORT, rounds=number + 1)
    table.run(
        lambda each: (
            bool(each.entries)
            and each.replay.number == number
            and each.log.phase is ProtocolPhase.ATTEST
        )
    )
    table.drop(1, reason)
    left = reason is DropReason.LEFT
    assert verified(table).decided is (Decided.CARDS if left else Decided.ABSENCE)


def test_a_player_lost_in_the_dealer_round_who_returns_in_time_missed_nothing() -> None:
    table = new_table(4, SHORT)
    table.run(lambda each: bool(each.entries) and each.log.phase is ProtocolPhase.REVEAL)
    table.drop(1)
    table.add(1, bodies.Return())
    report = verified(table)
    assert report.decided is Decided.CARDS
    assert [each.seat for each in report.dropped] == [1]


def test_a_seat_that_is_dropped_before_any_round() -> None:
    table = new_table(4, SHORT)
    table.drop(3)
    report = verified(table)
    assert report.dropped == (DroppedSeat(3, DropReason.LOST, 0, 0),)
    assert report.decided is Decided.ABSENCE


def test_a_bot_that_fills_in_is_an_absence_too() -> None:
    table = new_table(4, PAIRS).run(
        lambda each: bool(each.entries) and each.replay.number == 0 and each.replay.between_rounds
    )
    table.drop(3)
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    assert verified(table).decided is Decided.ABSENCE


@pytest.mark.parametrize("reason", DropReason)
def test_the_drop_of_one_of_two_players_decides_by_absence(reason: DropReason) -> None:
    table = new_table(2, LONG).run(playing)
    table.drop(1, reason)
    report = verified(table)
    assert report.decided is Decided.ABSENCE
    assert report.forfeited == (1, 0)
    assert report.winners == (0,)
    assert report.counted == ()
    assert report.rounds[-1].unrevealed == (1,)


def test_a_player_expelled_for_cheating_is_not_called_absent() -> None:
    table = new_table(4, SHORT).run(playing)
    first, second = (
        table.signed(1, each, counter=900) for each in (bodies.Leave(), bodies.Listen(9))
    )
    table.add(HOST, bodies.Expose(first.body, first.signature, second.body, second.signature))
    report = table.run().audit()
    assert (report.verdict, report.expelled) == (AuditVerdict.CHEATING, ())
    assert {each.fault for each in report.blame} == {Fault.EQUIVOCATION}
