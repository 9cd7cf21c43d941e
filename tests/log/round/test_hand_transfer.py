"""Hands that move: the keys that their givers seal to the receivers, and wrong contents."""

from __future__ import annotations

import pytest

from lanuno.log.faults import AuditVerdict, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HaltReason, Payload
from lanuno.log.round import events
from lanuno.log.round.round_audit import audit_round
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Rank
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import blame_of
from tests.harness.log_table.moving_hands import (
    SEVEN_ZERO,
    movers_first,
    moving,
    with_a_card_that_is_still_dealt,
)


@pytest.mark.parametrize("rank", [Rank.SEVEN, Rank.ZERO])
def test_hands_that_move_can_be_read_played_and_audited(rank: Rank) -> None:
    table = moving(rank)
    assert len(table.log.moves) == (2 if rank is Rank.SEVEN else 3)
    assert not any(table.log.can_read_hand(seat) for seat in range(3))
    report = table.run().audit()
    assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())


def test_keys_are_handed_over_once_by_the_giver() -> None:
    table = moving(Rank.SEVEN, Rank.ZERO)
    number, move = next(iter(table.log.moves.items()))
    right = table.hand_over(number)
    assert table.refusal_of(move.to, right) is RefusalReason.NOT_NOW
    assert table.refusal_of(move.seat, bodies.HandOver(99, right.sealed)) is RefusalReason.NOT_NOW
    assert table.refusal_of(move.seat, bodies.HandOver(number, b"")) is RefusalReason.WRONG_SHAPE
    happened = table.add(move.seat, right)
    assert happened == [events.HandGiven(move.seat, move.to, number)]
    assert table.refusal_of(move.seat, right) is RefusalReason.NOT_NOW


def test_cards_still_being_dealt_move_with_the_hand() -> None:
    """A seat receives a hand in which one card has not been unlocked yet."""
    table, _, _ = with_a_card_that_is_still_dealt()
    report = table.run().audit()
    assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())


@pytest.mark.parametrize("wrong", ["no box", "another use", "another hand"])
def test_wrong_keys_of_a_hand_blame_its_giver(wrong: str) -> None:
    table = moving(Rank.SEVEN, Rank.ZERO)
    number, move = next(iter(table.log.moves.items()))
    sealed: bytes = {
        "no box": bytes(112),
        "another use": table.sealed(move.seat, move.to, move.slots, f"move {number + 1}"),
        "another hand": table.sealed(move.seat, move.to, move.slots[::-1], f"move {number}"),
    }[wrong]
    if wrong == "another hand" and len(move.slots) < 2:
        sealed = table.sealed(move.seat, move.to, (), f"move {number}")
    table.add(move.seat, bodies.HandOver(number, sealed))
    table.add(move.to, bodies.Halt(HaltReason.BAD_SEAL, move.seat))
    assert blame_of(table) == [(move.seat, Fault.BAD_SEAL)]


def test_no_seat_is_blamed_for_passing_on_wrong_keys_of_another() -> None:
    """Seat 1 locks with scalars that its seed does not give; its cards go on to honest seats.

    Those seats pass on the keys that seat 1 published and gave them. They cannot check more.
    """
    passed_on = 0
    for salt in range(30):
        table = new_table(3, SEVEN_ZERO, salt=salt, choose=movers_first)
        table.run(lambda each: each.replay.number == 1)
        table.doubling_seats = frozenset({1})
        table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
        found = {(each.seat, each.fault) for each in audit_round(table.log).blame}
        assert found == {(1, Fault.BAD_LOCK)}
        passed_on += sum(
            shown.seat != 1
            and any(table.log.key_owner(slot, shown.seat) == 1 for slot in shown.slots)
            for shown in table.log.shown
        )
        if passed_on:
            return
    raise AssertionError("no such table among them")


def test_a_round_that_ends_owes_no_keys_any_more() -> None:
    table = moving(Rank.SEVEN, Rank.ZERO)
    move = next(iter(table.log.moves.values()))
    right: Payload = table.hand_over(move.number)
    table.add(move.to, bodies.Halt(HaltReason.NO_CARD, None))
    assert table.refusal_of(move.seat, right) is RefusalReason.NOT_NOW
    assert blame_of(table) == [(move.to, Fault.FALSE_HALT)]


def test_of_two_lost_seats_only_the_one_that_owes_hand_keys_voids_the_round() -> None:
    """Both seeds are recovered, but the first seat still owed the keys of a hand."""

    def owing(table: LogTable) -> bool:
        return table.replay.number > 0 and any(move.seat == 1 for move in table.log.moves.values())

    for salt in range(60):
        table = new_table(5, SEVEN_ZERO, bots={4: 1}, salt=salt, choose=movers_first)
        try:
            table.run(owing)
        except AssertionError:
            continue
        table.drop(1)
        table.run(lambda each: not each.log.recovering)
        assert set(table.log.recovered) == {1, 4}
        assert table.log.void is VoidReason.LOST
        assert table.log.voided_by == {1}
        assert not table.log.departed
        return
    raise AssertionError("no hand moved")
