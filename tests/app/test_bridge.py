"""Tests of the bridge between the GUI thread and the asyncio thread."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.app.bridge import Bridge
from lanuno.app.controllers.session_controller import MOST_UPDATES, merge_events
from lanuno.app.loop import LoopThread
from lanuno.client.events import SessionEvent, TableUpdated
from lanuno.rules.engine.events import DealerChosen
from lanuno.rules.presets import PRESETS
from lanuno.table.messages import LobbyPhase, LobbyState
from lanuno.table.outputs import ChatReceived
from tests.app.pictures.tables import Simulated
from tests.app.waiting import settle, until


@pytest.fixture
def bridge() -> Iterator[Bridge]:
    loop = LoopThread()
    loop.start()
    yield Bridge(loop)
    loop.close()


async def where(value: int) -> tuple[int, int]:
    await asyncio.sleep(0)
    return value, threading.get_ident()


def test_work_runs_on_the_other_thread_and_its_result_comes_to_this_one(bridge: Bridge) -> None:
    got: list[tuple[int, int, int]] = []

    def done(result: tuple[int, int]) -> None:
        got.append((*result, threading.get_ident()))

    for number in range(20):
        bridge.run(where(number), done)
    until(lambda: len(got) == 20)
    assert sorted(value for value, _, _ in got) == list(range(20))
    here = threading.get_ident()
    assert all(there != here == received for _, there, received in got)


def test_values_come_in_order(bridge: Bridge) -> None:
    got: list[int] = []
    send = bridge.back(got.append)

    async def tell() -> None:
        for number in range(100):
            send(number)

    bridge.run(tell())
    until(lambda: len(got) == 100)
    assert got == list(range(100))


def test_of_states_of_a_room_that_wait_only_the_newest_is_passed_on(bridge: Bridge) -> None:
    got: list[SessionEvent] = []
    send = bridge.back(got.append, merge_events)
    states = [
        LobbyState(bytes(16), "table", LobbyPhase.OPEN, PRESETS["classic"], 4, (), watching)
        for watching in range(1_000)
    ]

    line = ChatReceived("Eve", -1, "hello")

    async def tell() -> None:
        for state in states:
            send(state)
        send(line)
        for state in states[:10]:
            send(state)

    bridge.run(tell()).future.result()
    until(lambda: len(got) == 3)
    settle()
    assert got == [states[-1], line, states[9]]


def test_updates_that_wait_are_merged_without_losing_an_event(bridge: Bridge) -> None:
    got: list[TableUpdated] = []
    send = bridge.back(got.append, merge_events)
    base, number = Simulated(2).snapshot(), 1_000
    some = [DealerChosen(each) for each in range(number)]

    async def tell() -> None:
        for event in some:
            send(TableUpdated(base, (event,), 0.0))
            send(TableUpdated(replace(base, name=str(event.seat)), (), 0.0))

    bridge.run(tell()).future.result()
    until(lambda: bool(got) and got[-1].snapshot.name == str(number - 1))
    assert [event for each in got for event in each.happened] == some
    assert len(got) <= MOST_UPDATES + 1
    assert len(got[0].happened) == 1, "a window that is not late shows each of them"


def test_a_failure_goes_to_the_caller_or_else_to_the_signal(bridge: Bridge) -> None:
    async def fail() -> None:
        raise ValueError("so")

    asked: list[Exception] = []
    nobody: list[Exception] = []
    bridge.failed.connect(nobody.append)
    bridge.run(fail(), None, asked.append)
    bridge.run(fail())
    until(lambda: asked and nobody)
    assert [str(error) for error in asked + nobody] == ["so", "so"]


def test_cancelled_work_calls_nothing_back(bridge: Bridge) -> None:
    got: list[object] = []
    never = bridge.run(asyncio.sleep(3600), got.append, got.append)
    assert not never.future.done()
    never.cancel()
    until(never.future.done)
    settle()
    assert got == []


def test_a_closed_bridge_receives_nothing(bridge: Bridge) -> None:
    got: list[int] = []
    send = bridge.back(got.append)
    send(1)
    bridge.close()
    send(2)
    settle()
    assert got == []


def test_a_bridge_that_is_being_closed_drops_a_call_from_the_other_thread() -> None:
    loop = LoopThread()
    loop.start()
    bridge, got = Bridge(loop), list[int]()

    class Slow(deque[tuple[Callable[[Any], None], Any]]):
        """Closes the bridge just before the other thread hands a value over."""

        def append(self, value: tuple[Callable[[Any], None], Any]) -> None:
            bridge.close()
            super().append(value)

    bridge._waiting = Slow()
    bridge.back(got.append)(1)
    settle()
    assert got == []
    loop.close()
