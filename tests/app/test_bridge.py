"""Tests of the basis of the app: the loop thread, the bridge, the collector and rows."""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex

from lanuno.app.bridge import Bridge
from lanuno.app.collector import Collector
from lanuno.app.loop import LoopThread
from lanuno.app.models.rows import Rows
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


def test_failures_come_to_whoever_asked_else_to_everybody(bridge: Bridge) -> None:
    async def fail() -> None:
        raise ValueError("so")

    asked: list[Exception] = []
    nobody: list[Exception] = []
    bridge.failed.connect(nobody.append)
    bridge.run(fail(), None, asked.append)
    bridge.run(fail())
    until(lambda: asked and nobody)
    assert [str(error) for error in asked + nobody] == ["so", "so"]


def test_of_cancelled_work_nothing_is_told(bridge: Bridge) -> None:
    got: list[object] = []
    never = bridge.run(asyncio.sleep(3600), got.append, got.append)
    assert never.running
    never.cancel()
    until(lambda: not never.running)
    settle()
    assert got == []


def test_closing_ends_what_runs() -> None:
    loop = LoopThread()
    loop.start()
    ended = threading.Event()

    async def long() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    begun = loop.submit(where(1))
    future = loop.submit(long())
    assert begun.result(5)[0] == 1
    loop.close()
    assert ended.is_set()
    assert future.cancelled()
    assert loop.submit(where(2)).cancelled()
    loop.close()


def test_a_closed_bridge_receives_nothing(bridge: Bridge) -> None:
    got: list[int] = []
    send = bridge.back(got.append)
    send(1)
    bridge.close()
    send(2)
    settle()
    assert got == []


def test_nor_does_it_receive_what_was_on_its_way_when_it_was_closed() -> None:
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


def test_garbage_is_collected_here_alone() -> None:
    assert gc.isenabled()
    collector = Collector()
    assert not gc.isenabled()
    threads: list[int] = []

    def seen(phase: str, _info: dict[str, int]) -> None:
        threads.append(threading.get_ident())

    gc.callbacks.append(seen)
    try:
        rings = []
        for _ in range(5000):
            ring: list[object] = []
            ring.append(ring)
            rings.append(ring)
        assert threads == []
        collector.collect()
        assert threads == [threading.get_ident()] * 2
        rings.clear()
    finally:
        gc.callbacks.remove(seen)
        collector.close()
    assert gc.isenabled()


@dataclass(frozen=True)
class Person:
    id: int
    why_not: str = ""
    cards: tuple[int, ...] = ()


def test_rows_change_by_the_smallest_steps() -> None:
    rows: Rows[Person] = Rows(Person, "id")
    steps: list[tuple[object, ...]] = []
    rows.rowsInserted.connect(lambda _, *ends: steps.append(("in", *ends)))
    rows.rowsRemoved.connect(lambda _, first, _last: steps.append(("out", first)))
    rows.rowsMoved.connect(lambda _p, first, _l, _d, _to: steps.append(("move", first)))
    rows.dataChanged.connect(lambda index, _i, roles: steps.append(("new", index.row())))
    rows.show([Person(1), Person(2), Person(3)])
    assert steps == [("in", 0, 2)]
    steps.clear()
    rows.show([Person(3), Person(1, "x")])
    assert steps == [("out", 1), ("move", 1), ("new", 1)]
    steps.clear()
    rows.show([Person(3), Person(1, "x")])
    assert steps == []
    assert rows.rows == (Person(3), Person(1, "x"))


@pytest.mark.parametrize("seed", range(6))
def test_rows_become_whatever_is_shown(seed: int) -> None:
    rows: Rows[Person] = Rows(Person, "id")
    mirror: list[int] = []
    watched: QAbstractItemModel = rows

    def moved(_p: QModelIndex, first: int, _last: int, _d: QModelIndex, to: int) -> None:
        mirror.insert(to, mirror.pop(first))

    def came(_p: QModelIndex, first: int, last: int) -> None:
        mirror[first:first] = [row.id for row in rows.rows[first : last + 1]]

    rows.rowsInserted.connect(came)
    rows.rowsRemoved.connect(lambda _, first, _last: mirror.pop(first))
    rows.rowsMoved.connect(moved)
    for step in range(30):
        wanted = [(seed * 7 + step * 3 + n * 5) % 11 for n in range((seed + step) % 8)]
        wanted = list(dict.fromkeys(wanted))
        rows.show([Person(number, str(step)) for number in wanted])
        assert mirror == wanted == [row.id for row in rows.rows]
        assert watched.rowCount() == len(wanted)


def test_qml_sees_rows_by_the_names_of_its_language() -> None:
    rows: Rows[Person] = Rows(Person, "id")
    rows.show([Person(1, "because", (1, 2))])
    assert sorted(bytes(name.data()) for name in rows.roleNames().values()) == [
        b"cards",
        b"id",
        b"whyNot",
    ]
    assert rows.get(0) == {"id": 1, "whyNot": "because", "cards": [1, 2]}
    assert rows.get(1) == {}
    values = [rows.data(rows.index(0), role) for role in rows.roleNames()]
    assert values == [1, "because", [1, 2]]


def test_what_was_handed_in_ends_what_it_has_begun() -> None:
    loop, told = LoopThread(), list[str]()
    began = threading.Event()

    async def inner() -> None:
        try:
            began.set()
            await asyncio.sleep(0.05)
            told.append("inner was opened whole")
        except asyncio.CancelledError:
            told.append("inner was broken off")
            raise

    async def outer() -> None:
        opening = asyncio.ensure_future(inner())
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            await opening
            told.append("and closed")
            raise

    loop.start()
    loop.submit(outer())
    assert began.wait(5)
    loop.close()
    assert told == ["inner was opened whole", "and closed"]


def test_nothing_keeps_the_source_of_what_is_loaded() -> None:
    code = "import json, linecache, lanuno.app.main, lanuno.app.running as r; print("
    code += "json.dumps([r.__file__, *linecache.cache]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    module, *cached = json.loads(done.stdout)
    # A checkout may have any name and contain the libraries, so the folder is compared.
    package = Path(module).parents[1]
    assert package.name == "lanuno"
    assert [each for each in cached if Path(each).is_relative_to(package)] == []
