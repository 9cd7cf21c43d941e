"""A share of a lost seat's seed that its receiver cannot give, or does not want to give."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log import bodies
from lanuno.log.bodies import DropReason, HaltReason
from lanuno.log.duties import Duty, DutyKind, duties
from lanuno.log.faults import Fault, Refusal, Verdict, VoidReason
from lanuno.log.round_record import Phase
from tests.log.log_table import LogTable, new_table
from tests.log.moments import playing
from tests.log.test_leaving import THREE, escrowing, proven


@pytest.mark.parametrize("masked", [False, True])
def test_a_void_round_asks_for_a_share_that_is_wrong(*, masked: bool) -> None:
    """A seat that has not masked yet complains: it cannot be asked for what nobody gave it."""
    table = escrowing()
    right = table.escrow(3)
    sealed = list(right.sealed)
    sealed[table.log.share_receivers(3).index(2)] = bytes(80)
    for seat in range(5):
        wrong = msgspec.structs.replace(right, sealed=tuple(sealed))
        table.say(seat, wrong if seat == 3 else table.escrow(seat))
    complaint = bodies.Complain(3, table.secrets(2).box_private(3))
    for seat in range(3) if masked else ():
        table.say(seat, table.take_pass(seat))
    table.say(4, bodies.Halt(HaltReason.NO_CARD, None))
    assert table.refused(2, complaint) is Refusal.NOT_NOW  # nobody asks for the share
    table.drop(3)
    assert table.log.phase is Phase.REVEAL
    assert Duty(2, DutyKind.SHARE, table.replay.number, 3) in duties(table.replay)
    if masked:
        assert table.refused(2, complaint) is Refusal.NOT_NOW
        return
    table.say(2, complaint)
    assert not table.log.recovering
    table.run()
    assert (3, Fault.BAD_SHARE) in proven(table)


@pytest.fixture
def without_the_last() -> LogTable:
    """Four people in the middle of a round, of whom the host has dropped the last."""
    table = new_table(4, THREE, salt=3).run(playing)
    table.drop(3, DropReason.LOST)
    return table


def test_a_receiver_keeps_its_share_after_the_round_too() -> None:
    """A host could else say that it is over, and that somebody is lost."""
    table = new_table(4, THREE, salt=3).run(playing)
    table.run(lambda each: each.log.phase is Phase.REVEAL)
    table.drop(3, DropReason.SILENT)
    table.say(1, bodies.Halt(HaltReason.REACHABLE, 3))
    assert (table.log.void, table.log.result) == (VoidReason.LOST, None)
    assert table.log.spoilers == {3}
    report = table.run().audit()
    assert not [blame for blame in report.blame if blame.seat != 3]


def test_a_receiver_that_reaches_a_dropped_player_ends_the_round(
    without_the_last: LogTable,
) -> None:
    """Nobody is blamed: it is no claim of a fault."""
    table = without_the_last
    table.say(1, bodies.Halt(HaltReason.REACHABLE, 3))
    assert table.log.void is VoidReason.LOST
    assert not table.log.spoilers, "it was not out of contact"
    assert not table.log.halts
    assert not duties(table.replay) or all(
        duty.kind is DutyKind.REVEAL for duty in duties(table.replay)
    )
    report = table.run().audit()
    assert report.verdict is Verdict.VERIFIED
    assert proven(table) == []


def test_only_a_receiver_that_still_owes_its_share_can_say_so(without_the_last: LogTable) -> None:
    table = without_the_last
    for of in (None, 2):
        wrong = bodies.Halt(HaltReason.REACHABLE, of)
        assert table.refused(0, wrong) is Refusal.NOT_NOW
    table.say(0, table.share(0, 3))
    assert table.refused(0, bodies.Halt(HaltReason.REACHABLE, 3)) is Refusal.NOT_NOW
