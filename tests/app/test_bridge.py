"""Tests of the bridge between the GUI thread and the asyncio thread."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterator

import pytest

from lanuno.app.bridge import Bridge
from lanuno.app.loop import LoopThread
from lanuno.rules.presets import PRESETS
from lanuno.table.messages import LobbyPhase, LobbyState
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
    got: list[object] = []
    send = bridge.back(got.append)
    states = [
        LobbyState(bytes(16), "table", LobbyPhase.OPEN, PRESETS["classic"], 4, (), watching)
        for watching in range(1_000)
    ]

    async def tell() -> None:
        for state in states:
            send(state)
        send("a line of chat")
        for state in states[:10]:
            send(state)

    bridge.run(tell()).future.result()
    until(lambda: len(got) == 3)
    settle()
    assert got == [states[-1], "a line of chat", states[9]]


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

    class Slow(deque[Callable[[], None]]):
        """Closes the bridge just before the other thread hands a call over."""

        def append(self, call: Callable[[], None]) -> None:
            bridge.close()
            super().append(call)

    bridge._waiting = Slow()
    bridge.back(got.append)(1)
    settle()
    assert got == []
    loop.close()
