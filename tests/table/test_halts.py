"""A halt accuses somebody: it is said of the log in which something was wrong, and of no other."""

from __future__ import annotations

import pytest

from lanuno.log import bodies
from lanuno.log.bodies import HaltReason, Payload
from tests.harness.adversaries.lying_authors import OFF_CURVE
from tests.harness.host_and_seats.lone_session import Honest, elect_again, payloads, run_until
from tests.harness.log_table.log_table import LogTable, new_table


def masking(table: LogTable) -> bool:
    """The host has to mask the first list of the match."""
    return table.replay.round is not None and bool(table.log.deals)


def masked_off_the_curve(table: LogTable, honest: bodies.Pass) -> LogTable:
    """Another end of the log, on which the host's mask has a point that is none."""
    bad = table.fork()
    bad.say(0, bodies.Pass(honest.deal, honest.step, OFF_CURVE + honest.points[33:], honest.keys))
    return bad


def halts(said: list[Payload]) -> list[Payload]:
    return [each for each in said if isinstance(each, bodies.Halt)]


@pytest.mark.parametrize("again", [False, True], ids=["goes on", "starts again"])
def test_a_halt_on_an_end_that_is_given_up_is_not_said_on_the_other(again: bool) -> None:
    """What was true there would be a false accusation here, signed by an honest seat."""
    table = new_table(3)
    victim = Honest(table)
    run_until(table, victim, masking)
    honest = table.take_pass(0)
    victim.table = masked_off_the_curve(table, honest)
    assert halts(payloads(victim.hear())) == [bodies.Halt(HaltReason.BAD_POINTS, 0)]
    elect_again(table)
    table.say(0, honest)
    victim = Honest(table, recall=victim.recall()) if again else victim
    victim.table = table
    [answer] = payloads(victim.hear())
    assert isinstance(answer, bodies.Pass)


def test_a_halt_is_said_again_where_the_same_is_wrong() -> None:
    """In another term the list is the same one: whoever made it does not get away with it."""
    table = new_table(3)
    victim = Honest(table)
    run_until(table, victim, masking)
    honest = table.take_pass(0)
    victim.table = masked_off_the_curve(table, honest)
    victim.hear()
    elect_again(table)
    table.say(0, bodies.Pass(honest.deal, honest.step, OFF_CURVE + honest.points[33:], honest.keys))
    victim.table = table
    said = payloads(victim.hear())
    assert halts(said) == [bodies.Halt(HaltReason.BAD_POINTS, 0)]
