"""What leaving would do is what it then does, at any moment of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from lanuno.log.faults import VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import DropReason
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.table.host.stand_ins import empty_seat
from lanuno.table.leave_effect import LeaveEffect, RoundFate, leave_effect
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import playing
from tests.harness.log_table.moving_hands import SEVEN_ZERO, movers_first

LEAVER = 1


@dataclass
class Outcome:
    """What became of a table once a player had left it."""

    winners: tuple[int, ...]
    void: bool
    counted: bool
    continues: bool
    bot: bool
    expelled: bool


def outcome(table: LogTable, seat: int) -> Outcome:
    """Let a player leave a fork of the table, and finish the round."""
    fork = table.fork()
    before, replay = len(fork.happened), fork.replay
    was_over, number = replay.between_rounds, replay.number
    fork.drop(seat, DropReason.LEFT)
    if not was_over:
        fork.run(lambda each: each.replay.between_rounds)
    happened = fork.happened[before:]
    closed = [each for each in happened if isinstance(each, events.RoundClosed)]
    expelled = [each.seat for each in happened if isinstance(each, events.SeatExpelled)]
    void = [each for each in happened if isinstance(each, events.RoundVoided)]
    assert all((each.number, each.reason) == (number, VoidReason.LOST) for each in void)
    bot = empty_seat(replay) is not None
    return Outcome(
        replay.match.winners,
        bool(void),
        any(each.counted for each in closed),
        not replay.match.over and (bot or replay.next_plan() is not None),
        bot,
        seat in expelled,
    )


def compare(table: LogTable, seat: int) -> LeaveEffect:
    before = table.replay.state()
    said = leave_effect(table.replay, seat)
    assert table.replay.state() == before, "asking changes nothing"
    assert said is not None
    then = outcome(table, seat)
    of_play = table.replay.round is not None and table.log.kind is RoundKind.PLAY
    assert (said.round is RoundFate.VOID) == (then.void and of_play), said
    assert said.expelled == then.expelled
    if said.round in (RoundFate.CONTINUES, RoundFate.COUNTS):
        assert then.counted
    if said.round is not RoundFate.CONTINUES:
        # A round that goes on may end the match by its cards.
        assert (said.winners, said.continues, said.bot) == (then.winners, then.continues, then.bot)
    return said


def moments(table: LogTable, upto: int = 400) -> list[LogTable]:
    """Return the table at each phase of its first two rounds, and at some decisions."""
    found: dict[tuple[object, ...], LogTable] = {}
    for _ in range(upto):
        current = table.replay.round
        phase = None if current is None else current.phase
        dealing = current is not None and current.engine.decider is None
        key = (table.replay.number, phase, dealing, table.replay.between_rounds)
        if key not in found:
            found[key] = table.fork()
        if table.replay.number > 1 or not table.step():
            break
    return list(found.values())


@pytest.mark.parametrize(
    ("players", "ruleset", "bots", "mid_round"),
    [
        (2, SHORT, {}, RoundFate.VOID),
        (3, SHORT, {}, RoundFate.VOID),
        (3, SHORT, {2: 0}, RoundFate.VOID),
        (4, SHORT, {}, RoundFate.CONTINUES),
        (5, SHORT, {4: LEAVER}, RoundFate.CONTINUES),
        (4, PAIRS, {}, RoundFate.VOID),
        (4, PAIRS, {3: LEAVER}, RoundFate.VOID),
        (4, Ruleset(hand_size=2, format=Format.ROTATION), {}, RoundFate.VOID),
    ],
)
def test_leaving_does_what_it_is_said_to_do(
    players: int, ruleset: Ruleset, bots: Mapping[int, int], mid_round: RoundFate
) -> None:
    table = new_table(players, ruleset, bots=bots, rounds=9)
    seen = {compare(each, LEAVER).round for each in moments(table)}
    assert {RoundFate.NONE, RoundFate.COUNTS, mid_round} <= seen


def test_a_round_in_which_hands_moved_does_not_survive_it() -> None:
    """Neither while the keys of a hand are still owed, nor once another player holds the cards."""
    table = new_table(4, SEVEN_ZERO, choose=movers_first, rounds=9).run(playing)
    table.run(lambda each: bool(each.log.moves))
    moved = {move.seat for move in table.log.moves.values()} - {table.replay.host}
    for seat in moved:
        assert compare(table, seat).round is RoundFate.VOID
    table.run(lambda each: not each.log.moves)
    for seat in moved:
        assert compare(table, seat).round is RoundFate.VOID


def test_the_second_round_that_a_player_spoils_is_the_last() -> None:
    table = new_table(3, SHORT, rounds=9).run(playing)
    assert not compare(table, LEAVER).expelled
    table.drop(LEAVER, DropReason.LEFT)
    table.add(LEAVER, bodies.Return())
    table.run(lambda each: playing(each) and LEAVER in each.log.seats)
    said = compare(table, LEAVER)
    assert (said.expelled, said.winners, said.continues) == (True, (), True)


def test_of_two_who_are_still_there_the_other_one_wins() -> None:
    """However many have begun, and also if a third one is only waiting to be dealt in again."""
    table = new_table(3, SHORT, rounds=9).run(playing)
    table.drop(0 if table.replay.host else 2)
    assert compare(table, LEAVER).winners == (0,)


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
