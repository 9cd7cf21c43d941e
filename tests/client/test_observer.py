"""The output of a table observer: snapshots for the window, single events for the commands."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

from lanuno.client import observer as observer_module
from lanuno.client.events import SessionEvent, SessionNotice, TableUpdated
from lanuno.client.observer import TableObserver
from lanuno.log.format.bodies import DropReason
from lanuno.log.replay.replay import Replay
from lanuno.log.round import events
from lanuno.net.runtime.endings import PlaysElsewhere, RuntimeEvent
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.rules.engine.events import TurnStarted
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from lanuno.table.leave_effect import LeaveEffect, RoundFate, leave_effect
from lanuno.table.outputs import ActionRefused, ChatReceived, SpectatorsChanged, TableBegan
from lanuno.table.recovery import RecoveredState
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.log_table.log_table import SHORT, make_genesis, make_roster, new_table
from tests.harness.log_table.moments import playing
from tests.harness.node_world.world import World

BEGAN = outputs.TableBegan(make_genesis(make_roster(4)))
DROPPED = events.SeatDropped(1, DropReason.LOST)
CHAT = outputs.ChatReceived("p1", 1, "hi")


def lobby(ruleset: Ruleset) -> messages.LobbyState:
    return messages.LobbyState(bytes(16), "mesa", messages.LobbyPhase.OPEN, ruleset, 4, (), 0)


def said(
    *happened: RuntimeEvent, resumed: bool = False, snapshots: bool = False
) -> list[SessionEvent]:
    """Return the events emitted for a command, or with snapshots for the window."""
    told: list[SessionEvent] = []
    observer = TableObserver(told.append, lambda: None, snapshots=snapshots, resumed=resumed)
    for event in happened:
        observer(event)
    return told


def ids(told: list[SessionEvent]) -> list[str]:
    return [each.id if isinstance(each, SessionNotice) else type(each).__name__ for each in told]


def running_table(world: World) -> NodeRuntime:
    """Return a fake of the host's runtime, with the parts that an observer uses."""
    node = world.nodes[0].running
    metadata = SimpleNamespace(name="Kitchen")
    fake = SimpleNamespace(node=node, metadata=metadata, seat_session=node.main_session)
    return cast(NodeRuntime, fake)


def test_a_command_gets_every_event_of_the_log_and_then_its_meaning() -> None:
    told = said(BEGAN, DROPPED, TurnStarted(2), CHAT, outputs.ActionRefused("late", ""))
    assert told[0] == TableBegan(BEGAN.genesis)
    assert told[1:3] == [
        DROPPED,
        SessionNotice("table.dropped", {"name": "p1", "why": DropReason.LOST}, lasting=True),
    ]
    assert told[3:] == [TurnStarted(2), ChatReceived("p1", 1, "hi"), ActionRefused("late", "")]


@pytest.mark.parametrize("snapshots", [False, True])
def test_what_concerns_this_computer_alone_is_a_notice_everywhere(snapshots: bool) -> None:

    async def story() -> list[SessionEvent]:
        return said(PlaysElsewhere(), outputs.RoundHalted(1), snapshots=snapshots)

    assert ids(asyncio.run(story())) == ["table.elsewhere", "table.halted"]


def test_a_command_gets_the_events_of_the_node_and_what_they_mean() -> None:
    told = said(
        outputs.ViewChanged(),
        outputs.Send(0, messages.Watch(0, "Eve")),
        outputs.QuorumChanged(1, 2),
        outputs.TruncateJournal(3),
        outputs.HostingChanged(on=True),
        outputs.HostingChanged(on=False),
    )
    assert ids(told) == [
        *("ViewChanged", "table.frozen", "TruncateJournal", "table.cut", "HostingChanged"),
        *("SpectatorsChanged", "HostingChanged", "table.no_longer_hosting"),
    ]
    told = said(outputs.HostingChanged(on=True), resumed=True)
    assert ids(told) == ["HostingChanged", "table.hosting"]


def test_changed_rules_come_before_the_lobby() -> None:
    told = said(lobby(Ruleset()), lobby(Ruleset(jump_in=True)))
    assert ids(told) == ["LobbyState", "table.rules_changed", "LobbyState"]


def test_the_lobby_names_the_table() -> None:
    observer = TableObserver(lambda _told: None, lambda: None, snapshots=True)
    assert observer.name == ""
    observer(lobby(Ruleset()))
    assert observer.name == "mesa"
    observer.set_name("table")
    assert observer.name == "table"


def test_a_window_gets_one_update_for_each_step_of_the_event_loop() -> None:
    world = World(2, 1)
    world.start()
    runtime = running_table(world)
    told: list[SessionEvent] = []

    async def story() -> None:
        observer = TableObserver(told.append, lambda: runtime, snapshots=True)
        for event in (BEGAN, DROPPED, outputs.QuorumChanged(1, 2), CHAT, outputs.ViewChanged()):
            observer(event)
        assert told == [TableBegan(BEGAN.genesis), ChatReceived("p1", 1, "hi")]
        await asyncio.sleep(0)
        observer(outputs.HostingChanged(on=False))
        await asyncio.sleep(0)

    asyncio.run(story())
    first, gone, second = told[2:]
    assert isinstance(first, TableUpdated)
    assert first.happened == (DROPPED, outputs.ViewChanged())
    assert first.snapshot.short_of == (1, 2)
    assert gone == SpectatorsChanged(())
    assert isinstance(second, TableUpdated)
    assert second.happened == (outputs.HostingChanged(on=False),)


def test_the_past_is_replayed_for_a_window_only() -> None:
    world = World(2, 1)
    world.start()
    world.run(lambda: world.nodes[0].running.replay.seq > 5, most=100.0)
    runtime = running_table(world)
    told: list[SessionEvent] = []

    async def story() -> None:
        TableObserver(told.append, lambda: runtime, snapshots=False).replay_past(runtime)
        await asyncio.sleep(0)
        assert told == []
        TableObserver(told.append, lambda: runtime, snapshots=True).replay_past(runtime)
        await asyncio.sleep(0)

    asyncio.run(story())
    (update,) = told
    assert isinstance(update, TableUpdated)
    assert update.snapshot.name == "Kitchen"
    assert isinstance(update.happened[0], events.RoundOpened)


@pytest.mark.parametrize(("seats", "fate"), [(3, RoundFate.VOID), (4, RoundFate.CONTINUES)])
def test_what_the_end_of_a_wait_does_is_known_before(
    seats: int, fate: RoundFate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is worked out once for a state of the log, however often a host announces the wait."""
    table = new_table(seats, SHORT).run(playing)
    recovered = RecoveredState(table.genesis, tuple(table.entries), {})
    session = one_seat(table.genesis, None, bytes, recovered)
    node = SimpleNamespace(replay=session.replay, in_contact=True)
    runtime = cast(NodeRuntime, SimpleNamespace(node=node, seat_session=session))
    asked: list[int] = []

    def counted(replay: Replay, *owners: int) -> LeaveEffect | None:
        asked.extend(owners)
        return leave_effect(replay, *owners)

    monkeypatch.setattr(observer_module, "leave_effect", counted)
    told: list[SessionEvent] = []

    async def story() -> None:
        observer = TableObserver(told.append, lambda: runtime, snapshots=True)
        for absent in ((1,), (1,), ()):
            observer(outputs.SeatsAwaited(absent, 9.0))
            await asyncio.sleep(0)

    asyncio.run(story())
    shown = [each.snapshot for each in told if isinstance(each, TableUpdated)]
    first, again, back = [each.without_waited for each in shown]
    assert first is not None
    assert (first.round, first.continues) == (fate, True)
    assert (again, back) == (first, None)
    assert asked == [1]
