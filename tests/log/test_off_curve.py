"""Points off the curve from any pass: the log continues, and only the author is blamed."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.deal import StepKind
from lanuno.log.faults import AuditVerdict, Fault, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HaltReason
from lanuno.log.replay.replay import Replay
from lanuno.log.round import events
from lanuno.log.round.round_audit import is_proof
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import play_on, starting_with_four

OFF_CURVE = b"\x02" + (5).to_bytes(32, "big")
LAST = 3
"""The seat that masks and locks last."""
LEAVER = 1
PLAYERS = 4
BOTTOM = 107
"""The last slot of the first deal, which no seat is dealt."""


@pytest.fixture(scope="module")
def shuffling() -> LogTable:
    return starting_with_four(PLAYERS)


def spoiled(right: bodies.Pass, place: int) -> bodies.Pass:
    at = 33 * place
    return msgspec.structs.replace(
        right, points=right.points[:at] + OFF_CURVE + right.points[at + 33 :]
    )


def due(table: LogTable) -> tuple[int, StepKind, int] | None:
    """Return the deal, the pass and the seat for which the table waits."""
    if table.replay.number != 1:
        return None
    deal = table.log.deal
    if deal is None or deal.expected is None:
        return None
    return (deal.number, *deal.expected)


def publish(table: LogTable, deal: int, kind: StepKind, seat: int, place: int = BOTTOM) -> int:
    """Play honestly up to this pass, put a point off the curve into it, and return its entry."""
    table.run(lambda each: due(each) == (deal, kind, seat))
    table.add(seat, spoiled(table.take_pass(seat), place))
    assert table.log.void is None
    return table.replay.seq - 1


def blamed(table: LogTable) -> set[tuple[int | None, Fault]]:
    report = table.audit()
    assert report.verdict is AuditVerdict.CHEATING
    assert report.entries == len(table.entries)
    return {(each.seat, each.fault) for each in report.blame if is_proof(each)}


def test_a_seat_leaves_while_a_locked_point_off_the_curve_is_shuffled_again(
    shuffling: LogTable,
) -> None:
    """The leaver's key cannot be removed from the point, so the point's author is blamed."""
    table = shuffling.fork()
    entry = publish(table, 0, StepKind.LOCK, LAST)
    table.run(lambda each: len(each.log.deals) == 2)
    assert len(table.log.deals[1].locked) == 108 - SHORT.hand_size * PLAYERS - 1
    table.drop(LEAVER)
    for seat in (0, 2):
        table.add(seat, table.share(seat, LEAVER))
    happened = table.add(LAST, table.share(LAST, LEAVER))
    assert events.SeatRecovered(LEAVER) in happened
    assert table.log.void is VoidReason.FAULT
    assert [(each.seat, each.fault, each.entry) for each in table.log.faults] == [
        (LAST, Fault.BAD_LOCK, entry)
    ]
    assert len(table.log.deals) == 2
    play_on(table)
    assert blamed(table) == {(LAST, Fault.BAD_LOCK)}
    copy = Replay(table.genesis)
    for each in table.entries:
        copy.follow(each)


@pytest.mark.parametrize("hands", [False, True])
def test_a_seat_leaves_before_the_starting_card_goes_back(shuffling: LogTable, hands: bool) -> None:
    """The next shuffle has to omit the leaver, so it cannot even begin."""
    table = shuffling.fork()
    entry = publish(table, 0, StepKind.LOCK, LAST)
    table.run(lambda each: bool(each.log.needs))
    if hands:
        for seat in range(PLAYERS):
            needs = table.log.needs.values()
            owed = [need.number for need in needs if need.to is not None and seat in need.waiting]
            table.add(seat, table.unlock(seat, owed))
    table.drop(LEAVER)
    table.run(lambda each: each.log.void is not None)
    assert [(each.seat, each.fault, each.entry) for each in table.log.faults] == [
        (LAST, Fault.BAD_LOCK, entry)
    ]
    assert len(table.log.deals) == 1
    play_on(table)
    assert blamed(table) == {(LAST, Fault.BAD_LOCK)}
    assert sum(each.fault is Fault.BAD_LOCK for each in table.audit().blame) == 1


PASSES = [
    (0, StepKind.MASK, Fault.BAD_MASK),
    (0, StepKind.LOCK, Fault.BAD_LOCK),
    (1, StepKind.COMMON, Fault.BAD_LOCK),
    (1, StepKind.MASK, Fault.BAD_MASK),
    (1, StepKind.LOCK, Fault.BAD_LOCK),
]


@pytest.mark.parametrize("gone", [None, "leaver", "author"])
@pytest.mark.parametrize("seat", [0, LAST])
@pytest.mark.parametrize(("deal", "kind", "fault"), PASSES)
def test_a_point_off_the_curve_in_any_pass_names_its_author(
    shuffling: LogTable, deal: int, kind: StepKind, fault: Fault, seat: int, gone: str | None
) -> None:
    """The point is at the top of the pile, so it is detected, even while a player leaves."""
    table = shuffling.fork()
    publish(table, deal, kind, seat, place=0)
    leaver = {"leaver": LEAVER, "author": seat, None: 0}[gone]
    if leaver:
        table.drop(leaver)
    play_on(table)
    assert blamed(table) == {(seat, fault)}


def test_an_author_whose_seed_never_comes_is_named_all_the_same() -> None:
    """No seed is needed to see that an x belongs to no point."""
    table = new_table(3).run(lambda each: due(each) == (0, StepKind.MASK, 1))
    table.add(1, spoiled(table.take_pass(1), 7))
    table.add(2, bodies.Halt(HaltReason.BAD_POINTS, 1))
    table.drop(1)
    table.run()
    assert blamed(table) == {(1, Fault.BAD_MASK)}
