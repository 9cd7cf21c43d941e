"""What an owner is told that leaving does. tests/log/test_supposed_leave.py compares it."""

from __future__ import annotations

import pytest

from lanuno.log.format import bodies
from lanuno.log.format.bodies import DropReason
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Ruleset
from lanuno.table.leave_effect import LeaveEffect, RoundFate, leave_effect
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import playing

LEAVER = 1


def effect(table: LogTable, seat: int = LEAVER) -> LeaveEffect:
    said = leave_effect(table.replay, seat)
    assert said is not None
    return said


@pytest.mark.parametrize(
    ("players", "ruleset", "mid_round", "bot"),
    [
        (2, SHORT, RoundFate.VOID, False),
        (3, SHORT, RoundFate.VOID, False),
        (4, SHORT, RoundFate.CONTINUES, False),
        (4, PAIRS, RoundFate.VOID, True),
    ],
)
def test_each_moment_of_a_round_has_its_fate(
    players: int, ruleset: Ruleset, mid_round: RoundFate, bot: bool
) -> None:
    table = new_table(players, ruleset, rounds=9).run(lambda each: each.replay.round is not None)
    assert effect(table).round is RoundFate.NONE, "the dealer is no round"
    table.run(playing)
    assert (effect(table).round, effect(table).bot) == (mid_round, bot)
    for phase in (ProtocolPhase.REVEAL, ProtocolPhase.ATTEST):
        while table.log.phase is not phase:
            table.step()
        fate = RoundFate.VOID if players < 4 and phase is ProtocolPhase.REVEAL else RoundFate.COUNTS
        assert effect(table).round is fate
    table.run(lambda each: each.replay.between_rounds)
    said = effect(table)
    assert (said.round, said.continues) == (RoundFate.NONE, players > 2)
    assert said.winners == (() if players > 2 else (0,))


def test_the_second_round_that_a_player_spoils_expels_it() -> None:
    table = new_table(3, SHORT, rounds=9).run(playing)
    assert not effect(table).expelled
    table.drop(LEAVER, DropReason.LEFT)
    table.add(LEAVER, bodies.Return())
    table.run(lambda each: playing(each) and LEAVER in each.log.seats)
    said = effect(table)
    assert (said.expelled, said.winners, said.continues) == (True, (), True)


def test_of_two_who_are_still_there_the_other_one_wins() -> None:
    """However many have begun, and also if a third one is only waiting to be dealt in again."""
    table = new_table(3, SHORT, rounds=9).run(playing)
    table.drop(0 if table.replay.host else 2)
    assert effect(table).winners == (0,)


@pytest.mark.parametrize("players", [3, 5])
def test_a_host_that_leaves_hands_over(players: int) -> None:
    table = new_table(players, SHORT, rounds=9).run(playing)
    table.add(players - 1, bodies.Leave())
    said = leave_effect(table.replay, table.replay.host)
    assert said is not None
    # The owner that was already leaving is dropped as well.
    assert said.remaining == tuple(range(1, players - 1))
    assert said.hands_over == (players > 3)
    assert said.round is RoundFate.VOID
    assert said.winners == (() if players > 3 else (1,))


def test_a_round_cannot_continue_without_two_owners() -> None:
    table = new_table(5, SHORT, rounds=9).run(playing)
    one, two = leave_effect(table.replay, 1), leave_effect(table.replay, 1, 2)
    assert one is not None
    assert two is not None
    assert (one.round, two.round) == (RoundFate.CONTINUES, RoundFate.VOID)
    assert (two.continues, two.remaining) == (True, (0, 3, 4))


def test_after_a_proven_fault_only_the_audit_says_how_it_goes_on() -> None:
    table = new_table(4, SHORT, rounds=9).run(
        lambda each: (
            playing(each) is False
            and each.replay.number == 1
            and each.log.phase is ProtocolPhase.REVEAL
        )
    )
    table.add(2, bodies.Reveal(bytes(32), bytes(32)))
    assert table.log.faults
    said = leave_effect(table.replay, LEAVER)
    assert said is not None
    assert (said.round, said.continues, said.winners) == (RoundFate.NONE, True, ())


def test_nobody_can_go_on_without_the_last_owner() -> None:
    table = new_table(3, SHORT, bots={1: 0, 2: 0}, rounds=9).run(playing)
    assert leave_effect(table.replay, 0) == LeaveEffect()
    assert leave_effect(table.replay, LEAVER) is None, "a bot does not leave"
