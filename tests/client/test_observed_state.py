"""What a person knows of a table: which events change it, and which do not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.client.observed_state import (
    Clock,
    ClockState,
    ObservedState,
    RoundScore,
    observe,
    update_clock,
)
from lanuno.log.faults import Blame, Fault, VoidReason
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.course import RoundSummary
from lanuno.log.replay.times import TimedDecision
from lanuno.log.round import events
from lanuno.net.runtime.endings import CaughtUp, RuntimeEvent
from lanuno.rules.engine.actions import Draw, OpenHand, Verdict
from lanuno.rules.engine.events import DrawReason, Drew, RoundEnding, TurnStarted
from lanuno.rules.engine.results import DealerResult, RoundKind, RoundResult
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from tests.harness.log_table.log_table import make_genesis, make_roster

ROSTER = make_roster(4)
AT_TABLE = observe(ObservedState(), outputs.TableBegan(make_genesis(ROSTER)), None, 0.0)
NOW = 1000.0


def after(*happened: RuntimeEvent, state: ObservedState = AT_TABLE) -> ObservedState:
    """Return the state after these events, which all happen at the same time."""
    for event in happened:
        state = observe(state, event, None, NOW)
    return state


def lobby(ruleset: Ruleset, table: str = "Kitchen table") -> messages.LobbyState:
    return messages.LobbyState(bytes(16), table, messages.LobbyPhase.OPEN, ruleset, 4, (), 0)


def timed_out(seat: int, *, by_clock: bool = True) -> events.ActionTaken:
    return events.ActionTaken(seat, Draw(), by_clock)


CHANGES: list[tuple[tuple[RuntimeEvent, ...], RuntimeEvent, dict[str, object]]] = [
    ((), lobby(Ruleset()), {"name": "Kitchen table", "room": lobby(Ruleset())}),
    (
        (),
        outputs.SeatsAwaited((1, 2), 60.0),
        {"waits": ((1, NOW + 60), (2, NOW + 60)), "missing": (1, 2)},
    ),
    (
        (outputs.SeatsAwaited((1, 2), 60.0),),
        outputs.SeatsAwaited((), 7.5),
        {"waits": (), "missing": (), "clock_state": ClockState(stated=(7.5, NOW))},
    ),
    ((), outputs.ClaimOffered((1,)), {"claimable": (1,)}),
    ((outputs.ClaimOffered((1,)),), outputs.ClaimOffered(()), {"claimable": ()}),
    ((), outputs.QuorumChanged(1, 2), {"short_of": (1, 2)}),
    ((outputs.QuorumChanged(1, 2),), outputs.QuorumChanged(2, 2), {"short_of": None}),
    (
        (outputs.SeatsAwaited((0, 1), 60.0),),
        CaughtUp(1, 7),
        {"waits": (), "missing": (0,), "host": 1},
    ),
    ((), outputs.HostingChanged(on=True), {"hosting": True}),
    (
        (),
        events.HostElected(2, 1),
        {"host": 2, "former_host": 0, "hosting_is_news": True},
    ),
    (
        (events.HostElected(2, 1), timed_out(1), events.SeatDropped(3, DropReason.LOST)),
        events.RoundOpened(2, RoundKind.PLAY, (0, 1, 2), 1),
        {"former_host": None, "last_mover": None, "to_recover": ()},
    ),
    ((), timed_out(3, by_clock=False), {"last_mover": 3}),
    ((), timed_out(3), {"last_mover": 3, "time_outs": ((3, 1),)}),
    ((timed_out(3),), timed_out(3), {"time_outs": ((3, 2),)}),
    ((timed_out(3), timed_out(1)), timed_out(3), {"last_mover": 3, "time_outs": ((1, 1), (3, 2))}),
    ((timed_out(3), timed_out(3)), timed_out(3, by_clock=False), {"time_outs": ()}),
    (
        (timed_out(3), timed_out(1)),
        events.ActionTaken(3, Verdict(guilty=True), by_clock=False),
        {"last_mover": 3},
    ),
    (
        (outputs.SeatsAwaited((1, 2), 60.0),),
        events.SeatDropped(2, DropReason.LOST),
        {"waits": ((1, NOW + 60),), "missing": (1,), "to_recover": (2,)},
    ),
    (
        (events.SeatDropped(2, DropReason.LOST),),
        events.SeatDropped(1, DropReason.LEFT),
        {"to_recover": (2, 1)},
    ),
    (
        (outputs.SeatsAwaited((1, 2), 60.0),),
        events.SeatReturned(2),
        {"waits": ((1, NOW + 60),)},
    ),
    (
        (events.SeatDropped(2, DropReason.LOST),),
        events.StepDone(0, "share"),
        {"to_recover": ()},
    ),
]
"""Earlier events, an event, and all changes that it causes."""


@pytest.mark.parametrize(("earlier", "event", "changes"), CHANGES)
def test_an_event_changes_this_and_nothing_else(
    earlier: tuple[RuntimeEvent, ...], event: RuntimeEvent, changes: dict[str, Any]
) -> None:
    before = after(*earlier)
    expected = replace(before, **changes)
    assert observe(before, event, None, NOW) == expected != before
    assert observe(before, event, None, NOW) == expected, "the same input has the same output"
    assert before == after(*earlier), "the input value is unchanged"


SILENT: list[RuntimeEvent] = [
    outputs.ViewChanged(),
    outputs.Send(0, messages.Watch(0, "Eve")),
    outputs.TruncateJournal(9),
    outputs.ActionRefused("late", ""),
    outputs.RoundHalted(1),
    outputs.ChatReceived("p1", 1, "hi"),
    outputs.ReactionSeen("p1", 1, messages.Reaction.WELL_PLAYED),
    outputs.SpectatorsChanged(()),
    outputs.RematchChanged((), (), None),
    outputs.TurnedAway(messages.LobbyRefusal.FULL),
    outputs.NodeStopped(Blame(0, Fault.BAD_STATE, 1, 7, "")),
    events.StepDone(0, "share"),
    events.StepDone(0, "commit"),
    events.DeckReady(0, 108),
    events.RoundVoided(3, VoidReason.LOST, ""),
    events.RoundRevealed(3, None),
    events.RoundClosed(3, None, counted=False),
    events.LeaveAnnounced(1),
    events.SeatRecovered(1),
    events.SeatReturned(1),
    events.SeatExpelled(1, cheated=False),
    events.SeatFilled(1, 0),
    events.Forfeited(0, 1),
    events.LogClosed(CloseReason.FINISHED),
    TurnStarted(1),
    Drew(1, (3,), DrawReason.TURN),
]


@pytest.mark.parametrize("event", SILENT)
def test_an_event_that_changes_nothing_leaves_the_same_object(event: RuntimeEvent) -> None:
    assert observe(AT_TABLE, event, None, NOW) == AT_TABLE


@pytest.mark.parametrize(
    "event",
    [
        outputs.HostingChanged(on=False),
        outputs.QuorumChanged(2, 2),
        outputs.ClaimOffered(()),
        events.RoundOpened(1, RoundKind.PLAY, (0, 1, 2, 3), 1),
        outputs.TableBegan(make_genesis(ROSTER)),
    ],
)
def test_a_repeated_event_leaves_the_same_object(event: RuntimeEvent) -> None:
    assert observe(AT_TABLE, event, None, NOW) == AT_TABLE


def test_the_roster_gives_names_and_host() -> None:
    assert (ObservedState().roster, ObservedState().name_of(2)) == (None, "")
    assert (AT_TABLE.roster, AT_TABLE.host, AT_TABLE.name_of(2)) == (ROSTER, 0, "p2")
    assert after(outputs.TableBegan(make_genesis(make_roster(3, host=2)))).host == 2


def test_what_a_program_does_by_itself_is_no_sign_of_its_player() -> None:
    twice = after(timed_out(3), timed_out(3))
    assert after(events.ActionTaken(3, OpenHand(), by_clock=False), state=twice) == twice
    assert after(events.ActionTaken(3, OpenHand(), by_clock=True)).time_outs == ()


def test_the_time_outs_are_counted_as_far_as_they_matter() -> None:
    assert after(*[timed_out(3)] * 5).time_outs_of(3) == 2
    assert after(timed_out(3)).time_outs_of(2) == 0


def closing(*summaries: RoundSummary) -> Any:
    """Return a replay that has closed these rounds, and is in the next one."""
    return SimpleNamespace(round=SimpleNamespace(void=None), summaries=list(summaries))


def played(
    number: int, totals: tuple[int, ...], kind: RoundKind = RoundKind.PLAY, **known: Any
) -> RoundSummary:
    """Return the facts of a round of four, in which seat 2 was gone at the end."""
    return RoundSummary(
        number, kind, True, (0, 1, 4), totals=totals, players=(0, 1, 2, 3), lost=(2,), **known
    )


def closed(number: int, *winners: int) -> events.RoundClosed:
    result = RoundResult(RoundEnding.OUT, (0, 1, 2, 3), winners, (0, 7, 20, 50), (0, 1, 1, 1))
    return events.RoundClosed(number, result, counted=True)


def test_every_round_that_is_closed_adds_a_score() -> None:
    """The log may be in a later round already, as after a page of entries."""
    away = ((3, True),)
    replay = closing(
        played(0, (0, 0, 0, 0), RoundKind.DEALER),
        played(1, (70, 0, 0, 0)),
        played(2, (70, 0, 0, 0), void=VoidReason.LOST, void_without=away),
        played(3, (70, 30, 0, 0)),
    )
    state = AT_TABLE
    for event in (
        events.RoundClosed(0, DealerResult(3), counted=True),
        closed(1, 0),
        events.RoundClosed(2, None, counted=False),
        closed(3, 1),
    ):
        state = observe(state, event, replay, NOW)
    assert state.scores == (
        RoundScore(1, (0,), (70, 0, 0, 0), (70, 0, 0, 0), None, True, 2, 4, 3),
        RoundScore(2, (), (0,) * 4, (70, 0, 0, 0), VoidReason.LOST, True, 2, 4, 3, away),
        RoundScore(3, (1,), (0, 30, 0, 0), (70, 30, 0, 0), None, True, 2, 4, 3),
    )
    nothing: Any = SimpleNamespace(round=None, summaries=[])
    assert observe(AT_TABLE, closed(1, 0), nothing, NOW) == AT_TABLE
    assert observe(AT_TABLE, events.RoundRevealed(1, None), nothing, NOW) == AT_TABLE


def test_a_player_who_is_back_waits_no_longer_for_the_host() -> None:
    """The host may not have noticed the absence, and then it reports no return."""
    alone = after(outputs.SeatsAwaited((0,), 60.0))
    assert alone.waits == ((0, NOW + 60),)
    assert after(CaughtUp(0, 0), state=alone).waits == ()


# ---- the clock --------------------------------------------------------------------------------

TURN = TimedDecision(1, 7, 2, RoundPhase.TURN, 40, 5_000, 61_000)


class Table:
    """A state with log times and a clock that the test controls."""

    def __init__(self) -> None:
        self.now = NOW
        self.state = ObservedState()
        self.times: Any = SimpleNamespace(open_decision=TURN, ms=5_000)

    def observe(self, event: RuntimeEvent) -> None:
        self.state = observe(self.state, event, None, self.now)

    def left(self) -> float:
        """Return the seconds left of the turn; -1 without a clock."""
        before = self.state
        self.state = update_clock(before, self.times, self.now)
        assert update_clock(before, self.times, self.now) == self.state
        assert update_clock(self.state, self.times, self.now) == self.state
        clock = self.state.clock
        return -1 if clock is None else clock.since + clock.total - self.now


@pytest.fixture
def table() -> Table:
    return Table()


def test_nobody_loses_time_while_the_table_waits(table: Table) -> None:
    assert table.left() == 61
    table.now += 20
    table.observe(outputs.SeatsAwaited((1,), 60.0))
    table.left()
    table.now += 30
    table.left()
    table.observe(outputs.SeatsAwaited((), 0.0))
    assert table.left() == 41
    table.now += 1
    assert table.left() == 40


def test_the_host_says_what_is_left_once_it_goes_on(table: Table) -> None:
    """A returning player has not seen how long the turn has been running."""
    table.left()
    table.observe(outputs.SeatsAwaited((), 7.5))
    assert table.left() == 7.5
    table.observe(outputs.SeatsAwaited((), 1e6))
    assert table.left() == 61, "not more than the rules allow"


def test_what_the_host_says_grows_older(table: Table) -> None:
    table.left()
    table.observe(outputs.SeatsAwaited((), 7.5))
    table.now += 2
    assert table.left() == 5.5
    table.now += 1
    assert table.left() == 4.5


@pytest.mark.parametrize("how", ["quorum", "contact"])
def test_the_clock_stands_while_nothing_counts(table: Table, how: str) -> None:
    table.left()
    if how == "quorum":
        table.observe(outputs.QuorumChanged(1, 3))
    else:
        table.state = replace(table.state, in_contact=False)
    table.left()
    table.now += 500
    if how == "quorum":
        table.observe(outputs.QuorumChanged(3, 3))
    else:
        table.state = replace(table.state, in_contact=True)
    assert table.left() == 61


def test_a_turn_that_begins_during_a_wait_has_all_its_time_after_it(table: Table) -> None:
    table.observe(outputs.SeatsAwaited((1,), 60.0))
    table.left()
    table.now += 10
    table.times.open_decision = TimedDecision(1, 8, 3, RoundPhase.TURN, 41, 5_000, 61_000)
    table.left()
    table.now += 10
    table.observe(outputs.SeatsAwaited((), 0.0))
    assert table.left() == 61


def test_what_the_log_knows_of_the_clock_is_believed(table: Table) -> None:
    """The autopilot has one second, and an automatic answer has no clock to show."""
    table.times.open_decision = TimedDecision(1, 8, 3, RoundPhase.TURN, 41, 5_000, 1_000)
    assert table.left() == 1
    table.times.open_decision = TimedDecision(1, 9, 3, RoundPhase.SHOW, 42, 5_000, 5_000)
    table.left()
    assert table.state.clock is not None
    assert table.state.clock.total == 0
    table.times.ms = 9_000
    table.times.open_decision = TimedDecision(1, 9, 3, RoundPhase.TURN, 43, 5_000, 61_000)
    assert table.left() == 57, "received later than it was asked"
    table.times.open_decision = None
    assert table.left() == -1


def test_a_turn_without_a_limit_has_no_clock_to_look_at(table: Table) -> None:
    table.times.open_decision = TimedDecision(1, 8, 3, RoundPhase.TURN, 41, 5_000, None)
    table.left()
    assert table.state.clock == Clock(3, 0.0, NOW)


def test_a_new_host_begins_its_clocks_anew(table: Table) -> None:
    table.left()
    table.now += 40
    table.observe(events.HostElected(1, 1))
    assert table.left() == 61
