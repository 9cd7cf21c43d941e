"""The snapshot of a table: what each stage of its log shows, and what a seat may not see."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import msgspec
import pytest

from lanuno.client.observed_state import ObservedState, observe
from lanuno.client.snapshot import (
    NOTHING_TO_PLAY,
    TableSnapshot,
    TableStage,
    table_snapshot,
    view_once_stopped,
    view_without_actions,
)
from lanuno.log.audit.conclusion import Conclusion, conclude
from lanuno.log.faults import AuditVerdict
from lanuno.log.format import bodies
from lanuno.log.format.bodies import CloseReason, DropReason, HaltReason
from lanuno.log.format.transcript import read
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store.game_record import read_game
from lanuno.table.recovery import RecoveredState
from lanuno.table.replica.hand_keys import Unsound
from lanuno.table.replica.seat import SeatSession
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.log_table.log_table import SHORT, LogTable, make_genesis, make_roster, new_table
from tests.harness.log_table.moments import dropped_twice_as_silent, playing
from tests.harness.node_world.world import World


def spectator(table: LogTable, upto: int | None = None) -> SeatSession:
    """Return the session of a spectator who has the first entries of a log."""
    entries = tuple(table.entries[:upto])
    return one_seat(table.genesis, None, bytes, RecoveredState(table.genesis, entries, {}))


def seen(table: LogTable, upto: int | None = None) -> TableSnapshot:
    return table_snapshot(spectator(table, upto), ObservedState())


@pytest.fixture(scope="module")
def played() -> LogTable:
    """A closed log of two players, shared, so it must not be changed."""
    return new_table(2).run()


def stages(table: LogTable) -> list[TableStage]:
    """Return the stages of a table in their order, without repetitions."""
    session = one_seat(table.genesis, None, bytes)
    found = [table_snapshot(session, ObservedState()).stage]
    for entry in table.entries:
        session.replica.read_journal((entry,))
        stage = table_snapshot(session, ObservedState()).stage
        if stage is not found[-1]:
            found.append(stage)
    return found


def test_the_stages_of_a_match_of_one_round(played: LogTable) -> None:
    assert stages(played) == [
        TableStage.BEGINNING,
        TableStage.CHOOSING,
        TableStage.REVEALING,
        TableStage.BETWEEN,
        TableStage.DEALING,
        TableStage.PLAYING,
        TableStage.REVEALING,
        TableStage.BETWEEN,
        TableStage.CLOSED,
    ]


def test_before_the_first_round_only_the_seats_are_known(played: LogTable) -> None:
    shown = seen(played, 0)
    assert (shown.table, shown.number) == (played.genesis.table_id, 0)
    assert (shown.dealer, shown.seats, shown.view, shown.steps) == (None, (), None, ())
    assert [(person.name, person.owner, person.team) for person in shown.people] == [
        ("p0", 0, -1),
        ("p1", 1, -1),
    ]
    assert (shown.mine, shown.closed, shown.totals) == (None, None, (0, 0))


def test_a_closed_table_shows_the_points_and_why_it_was_closed(played: LogTable) -> None:
    shown = seen(played)
    report = played.audit()
    assert (shown.closed, shown.totals) == (CloseReason.STOPPED, report.scores)
    assert (shown.winners, shown.blamed, shown.forfeited) == (report.winners, (), None)
    assert shown.attested == (0, 1)


def conclusions(table: LogTable) -> list[Conclusion | None]:
    """Return what the screens say of a game: the result, the history, and the verifier."""
    state, replay = ObservedState(), Replay(table.genesis)
    for entry in table.entries:
        for event in replay.follow(entry, trusted=True):
            state = observe(state, event, replay, 0.0)
    report, record = table.audit(), read_game(read(table.file))
    assert record.cheated == (report.verdict is AuditVerdict.CHEATING)
    shown = table_snapshot(spectator(table), state)
    won = tuple(number for number, each in enumerate(record.players) if each.won)
    assert shown.winners == won == report.winners
    return [shown.conclusion, conclude(report.verdict, record.decided), report.conclusion]


def of_rounds(rounds: int | None, ruleset: Ruleset) -> LogTable:
    """Return a table of three players who agreed on this number of rounds."""
    roster = msgspec.structs.replace(make_roster(3, ruleset), rounds=rounds)
    return LogTable(make_genesis(roster), rounds=rounds or 1)


def agreed() -> LogTable:
    """Return a match that somebody wins by having the most points after two rounds."""
    table = of_rounds(2, SHORT).run()
    assert table.audit().winners
    return table


def forfeited() -> LogTable:
    table = new_table(2).run(playing)
    table.drop(1, DropReason.LEFT)
    return table.run()


def of_which_nothing_counts() -> LogTable:
    """Return a table whose only round of play is void; its two guests were lost in it."""
    table = new_table(3, SHORT, rounds=9).run(playing)
    table.drop(1)
    table.run(lambda each: each.replay.between_rounds)
    table.rounds = 0
    return table.run()


def last_void() -> LogTable:
    """Return a table whose last round is void, but not the one before."""
    table = new_table(3, SHORT, rounds=9)
    table.run(lambda each: each.replay.number == 2 and playing(each))
    table.drop(1)
    table.run(lambda each: each.replay.between_rounds)
    table.rounds = 0
    return table.run()


def cheated() -> LogTable:
    table = new_table(3, SHORT, salt=9)
    table.run(lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.REVEAL)
    table.add(1, msgspec.structs.replace(table.reveal(1), seed=bytes(32)))
    return table.run()


@pytest.mark.parametrize(
    ("make", "conclusion"),
    [
        (lambda: new_table(2, bots={1: 0}).run(), Conclusion.VERIFIED),
        (agreed, Conclusion.VERIFIED),
        (forfeited, Conclusion.ABSENCE),
        (dropped_twice_as_silent, Conclusion.ABSENCE),
        (of_which_nothing_counts, Conclusion.NOTHING_COUNTS),
        (last_void, Conclusion.ABSENCE),
        (cheated, Conclusion.CHEATING),
    ],
)
def test_result_history_and_verifier_say_the_same(
    make: Callable[[], LogTable], conclusion: Conclusion
) -> None:
    assert conclusions(make()) == [conclusion] * 3


def test_the_cards_that_choose_the_dealer_are_open(played: LogTable) -> None:
    """They are turned in the first round, and the higher one deals."""
    shown = [seen(played, number) for number in range(len(played.entries))]
    drawn = next(each for each in shown if each.stage is TableStage.BETWEEN).drawn_for_deal
    assert [hand.seat for hand in drawn] == [0, 1]
    values = [hand.cards[0].dealer_value for hand in drawn]
    assert values[0] != values[1]
    first = next(each for each in shown if each.stage is TableStage.DEALING)
    assert first.dealer == values.index(max(values))
    assert first.drawn_for_deal == ()


def test_each_seat_has_completed_its_own_steps(played: LogTable) -> None:
    table = new_table(2)
    table.run(lambda at: bool(at.replay.round and at.replay.round.commits))
    (one, other) = seen(table).steps
    assert sorted([one.committed, other.committed]) == [False, True]
    assert [one.shuffled, other.shuffled, one.locked, other.locked] == [False] * 4
    table.run(playing)
    assert [(each.committed, each.shuffled, each.locked) for each in seen(table).steps] == [
        (True, True, True)
    ] * 2


def test_partners_share_a_team() -> None:
    rules = Ruleset(hand_size=2, format=Format.PAIRS)
    table = new_table(4, rules)
    assert [person.team for person in seen(table).people] == [-1] * 4
    table.run(lambda at: at.replay.number > 0)
    teams = [person.team for person in seen(table).people]
    assert teams[0] == teams[2] != teams[1] == teams[3]
    assert set(teams) == {0, 1}


def test_without_pairs_nobody_has_a_team(played: LogTable) -> None:
    assert [person.team for person in seen(played).people] == [-1, -1]


def test_a_bot_is_played_by_the_computer_of_its_owner() -> None:
    table = new_table(3, bots={2: 1})
    assert [(each.bot, each.owner) for each in seen(table).people] == [
        (False, 0),
        (False, 1),
        (True, 1),
    ]


def test_the_others_recover_the_hand_of_a_dropped_player() -> None:
    table = new_table(5).run(playing)
    assert seen(table).stage is TableStage.PLAYING
    table.drop(1)
    shown = seen(table)
    assert (shown.stage, shown.dropped) == (TableStage.RECOVERING, ((1, DropReason.LOST),))
    assert [each.seat for each in shown.steps] == [0, 2, 3, 4]


@pytest.mark.parametrize(("agreed", "target"), [(None, 300), (2, 300), (1, 0)])
def test_a_match_of_one_round_needs_no_points(agreed: int | None, target: int) -> None:
    shown = seen(of_rounds(agreed, Ruleset(target=300)))
    assert (shown.agreed, shown.target) == (agreed, target)


def test_the_observed_state_is_shown(played: LogTable) -> None:
    observed = ObservedState(
        name="Kitchen",
        hosting=True,
        in_contact=False,
        waits=((1, 9.0),),
        claimable=(1,),
        short_of=(1, 2),
        last_mover=1,
    )
    shown = table_snapshot(spectator(played), observed)
    assert (shown.name, shown.hosting, shown.in_contact) == ("Kitchen", True, False)
    assert (shown.waits, shown.claimable) == (((1, 9.0),), (1,))
    assert (shown.short_of, shown.last_mover) == ((1, 2), 1)


def test_who_is_out_of_the_match_is_known() -> None:
    table = new_table(3, SHORT, rounds=9)
    for _ in range(2):
        table.run(lambda each: playing(each) and 1 in each.engine.seats)
        assert seen(table).expelled == ()
        table.drop(1, DropReason.LEFT)
        table.run(lambda each: each.replay.between_rounds)
        if not seen(table).expelled:
            table.add(1, bodies.Return())
    assert seen(table).expelled == (1,)


@pytest.fixture(scope="module")
def world() -> World:
    """Two players in the middle of a round."""
    world = World(2, 1, ruleset=SHORT)
    world.start()
    world.run(lambda: all(ready(node.running.main_session) for node in world.nodes), most=100.0)
    return world


def ready(session: SeatSession) -> bool:
    shown = table_snapshot(session, ObservedState())
    return shown.stage is TableStage.PLAYING and shown.view is not None and bool(shown.view.hand)


def test_a_player_sees_its_own_cards_and_counts_the_others(world: World) -> None:
    sessions = [node.running.main_session for node in world.nodes]
    hands = []
    for seat, session in enumerate(sessions):
        shown = table_snapshot(session, ObservedState())
        assert shown.mine == seat
        assert shown.view is not None
        hands.append({each.slot for each in shown.view.hand})
        assert shown.view.hand
    assert hands[0].isdisjoint(hands[1])


def test_only_the_player_to_move_may_act(world: World) -> None:
    shown = [table_snapshot(node.running.main_session, ObservedState()) for node in world.nodes]
    assert sorted(each.to_move for each in shown) == [False, True]
    for each in shown:
        assert each.view is not None
        assert bool(each.view.legal) == each.to_move


def test_a_spectator_sees_no_hand(world: World) -> None:
    replay: Replay = world.nodes[0].running.replay
    entries = tuple(world.nodes[0].running.replica.entries[: replay.seq])
    session = one_seat(world.genesis, None, bytes, RecoveredState(world.genesis, entries, {}))
    shown = table_snapshot(session, ObservedState())
    assert (shown.mine, shown.to_move) == (None, False)
    assert shown.view is not None
    assert shown.view.hand == ()


@pytest.mark.parametrize("stage", TableStage)
def test_once_a_round_is_stopped_no_action_is_legal(stage: TableStage, world: World) -> None:
    (view,) = (
        shown.view
        for node in world.nodes
        if (shown := table_snapshot(node.running.main_session, ObservedState())).to_move
    )
    assert view is not None
    assert view.legal
    found = view_once_stopped(view, stage)
    without = msgspec.structs.replace(view, legal=(), unplayable=())
    assert found == (without if stage in NOTHING_TO_PLAY else view)
    assert view_once_stopped(None, stage) is None


def test_a_seat_that_has_found_a_fault_plays_no_more(world: World) -> None:
    (session,) = (
        each.running.main_session for each in world.nodes if each.running.main_session.to_move
    )
    with patch.object(session, "_unsound", Unsound(HaltReason.NO_CARD, None)):
        shown = table_snapshot(session, ObservedState())
    assert shown.stage is TableStage.HALTED
    assert not shown.to_move
    assert shown.view is not None
    assert shown.view.legal == ()


def test_without_a_view_there_are_no_actions_to_leave_out() -> None:
    assert view_without_actions(None) is None


def test_a_snapshot_says_whether_the_clock_plays_for_the_player() -> None:
    sim = TableSim(2, 1)
    sim.run()
    session = sim.peers[1].session
    assert session is not None
    assert not table_snapshot(session, ObservedState()).clocked
    session.replay.times.idle[1] = 1
    assert table_snapshot(session, ObservedState()).clocked
    session.replay.times.idle.clear()
    session.replay.times.idle[0] = 2
    assert not table_snapshot(session, ObservedState()).clocked
