"""What a copy of the log says that leaving would do is what it then does, at any moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from lanuno.log.format import bodies
from lanuno.log.format.bodies import DropReason, HaltReason
from lanuno.log.replay.replay import Replay
from lanuno.log.round import events
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import playing
from tests.harness.log_table.moving_hands import SEVEN_ZERO, movers_first

LEAVER = 1


def void(happened: Sequence[LogEvent]) -> bool:
    return any(isinstance(each, events.RoundVoided) for each in happened)


def expelled(happened: Sequence[LogEvent]) -> list[int]:
    return [each.seat for each in happened if isinstance(each, events.SeatExpelled)]


def follows(replay: Replay) -> object:
    """Return who wins, or who plays the next round; its dealer may depend on the cards."""
    plan = replay.next_plan()
    return replay.match.winners, plan is not None and set(plan.seats)


def compare(table: LogTable, seat: int = LEAVER) -> Replay:
    """Let a player leave a copy and a fork, which is played to the end of the round."""
    before = table.replay.state()
    copy = table.replay.copy()
    supposed = copy.suppose_left(seat)
    assert table.replay.state() == before
    fork = table.fork()
    told = len(fork.happened)
    fork.drop(seat, DropReason.LEFT)
    if not fork.replay.between_rounds:
        fork.run(lambda each: each.replay.between_rounds)
    happened = fork.happened[told:]
    assert void(supposed) == void(happened)
    assert expelled(supposed) == expelled(happened)
    if copy.between_rounds:
        assert follows(copy) == follows(fork.replay)
    else:
        assert any(isinstance(each, events.RoundClosed) and each.counted for each in happened)
    return copy


def moments(table: LogTable) -> list[LogTable]:
    """Return the table at each phase of its first two rounds, and at some decisions."""
    found: dict[tuple[object, ...], LogTable] = {}
    while table.replay.number < 2:
        current = table.replay.round
        phase = None if current is None else current.phase
        deciding = current is not None and current.engine.decider is not None
        key = (table.replay.number, phase, deciding)
        if key not in found:
            found[key] = table.fork()
        table.step()
    return list(found.values())


def test_somebody_leaves_after_an_audit_has_convicted_another_seat() -> None:
    """Who has not attested yet is supposed to find the same."""
    table = new_table(4, SHORT).run(playing)
    table.add(2, bodies.Halt(HaltReason.NO_CARD, None))
    table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
    table.add(0, table.attest(0))
    assert table.log.attests == {0: (2,)}
    compare(table)


@pytest.mark.parametrize(
    ("players", "ruleset", "bots"),
    [
        (2, SHORT, {}),
        (3, SHORT, {}),
        (3, SHORT, {2: 0}),
        (4, SHORT, {}),
        (5, SHORT, {4: LEAVER}),
        (4, PAIRS, {}),
        (4, PAIRS, {3: LEAVER}),
        (4, Ruleset(hand_size=2, format=Format.ROTATION), {}),
    ],
)
def test_leaving_does_what_it_is_supposed_to_do(
    players: int, ruleset: Ruleset, bots: Mapping[int, int]
) -> None:
    for table in moments(new_table(players, ruleset, bots=bots, rounds=9)):
        compare(table)


def test_a_round_in_which_hands_moved_does_not_survive_it() -> None:
    """Neither while the keys of a hand are still owed, nor once another player holds the cards."""
    table = new_table(4, SEVEN_ZERO, choose=movers_first, rounds=9).run(playing)
    table.run(lambda each: bool(each.log.moves))
    moved = {move.seat for move in table.log.moves.values()} - {table.replay.host}
    for reached in (lambda each: bool(each.log.moves), lambda each: not each.log.moves):
        table.run(reached)
        for seat in moved:
            assert compare(table, seat).between_rounds


def test_the_second_round_that_a_player_spoils_expels_it() -> None:
    table = new_table(3, SHORT, rounds=9).run(playing)
    table.drop(LEAVER, DropReason.LEFT)
    table.add(LEAVER, bodies.Return())
    table.run(lambda each: playing(each) and LEAVER in each.log.seats)
    assert LEAVER not in compare(table).match.playing


def test_a_host_that_leaves_is_dropped_by_the_next_one() -> None:
    """And so is an owner who was leaving already."""
    table = new_table(5, SHORT).run(playing)
    table.add(4, bodies.Leave())
    copy = table.replay.copy()
    assert void(copy.suppose_left(0))
    assert set(copy.dropped) == {0, 4}
    assert copy.owners == (1, 2, 3)


def test_a_round_with_a_proven_fault_is_left_to_its_audit() -> None:
    table = new_table(4).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.REVEAL
    )
    table.add(2, bodies.Reveal(bytes(32), bytes(32)))
    copy = table.replay.copy()
    copy.suppose_left(LEAVER)
    assert not copy.between_rounds
