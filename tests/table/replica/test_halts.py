"""A halt accuses a player, so it applies only to the log in which the fault was."""

from __future__ import annotations

import pytest

from lanuno.log.format import bodies
from lanuno.log.format.bodies import HaltReason, Payload
from tests.harness.adversaries.lying_authors import OFF_CURVE
from tests.harness.host_and_seats.seat_under_test import (
    SeatUnderTest,
    elect_again,
    payloads,
    run_until,
)
from tests.harness.log_table.log_table import LogTable, new_table


def masking(table: LogTable) -> bool:
    """Whether the host has to mask the first list of the match."""
    return table.replay.round is not None and bool(table.log.deals)


def masked_off_the_curve(table: LogTable, honest: bodies.Pass) -> LogTable:
    """Return a fork of the log on which the host's mask has a point off the curve."""
    bad = table.fork()
    bad.add(0, bodies.Pass(honest.deal, honest.step, OFF_CURVE + honest.points[33:], honest.keys))
    return bad


def halts(said: list[Payload]) -> list[Payload]:
    return [each for each in said if isinstance(each, bodies.Halt)]


@pytest.mark.parametrize("again", [False, True], ids=["goes on", "starts again"])
def test_a_halt_on_an_abandoned_fork_is_not_repeated_on_the_new_log(again: bool) -> None:
    """An accusation that held on the abandoned fork would be a false one on this log."""
    table = new_table(3)
    victim = SeatUnderTest(table)
    run_until(table, victim, masking)
    honest = table.take_pass(0)
    victim.table = masked_off_the_curve(table, honest)
    assert halts(payloads(victim.follow_log())) == [bodies.Halt(HaltReason.BAD_POINTS, 0)]
    elect_again(table)
    table.add(0, honest)
    victim = SeatUnderTest(table, recovered=victim.recovered_state()) if again else victim
    victim.table = table
    [answer] = payloads(victim.follow_log())
    assert isinstance(answer, bodies.Pass)


def test_a_halt_is_repeated_if_the_new_term_has_the_same_fault() -> None:
    """The list of another term is the same, so its author is accused again."""
    table = new_table(3)
    victim = SeatUnderTest(table)
    run_until(table, victim, masking)
    honest = table.take_pass(0)
    victim.table = masked_off_the_curve(table, honest)
    victim.follow_log()
    elect_again(table)
    table.add(0, bodies.Pass(honest.deal, honest.step, OFF_CURVE + honest.points[33:], honest.keys))
    victim.table = table
    said = payloads(victim.follow_log())
    assert halts(said) == [bodies.Halt(HaltReason.BAD_POINTS, 0)]
