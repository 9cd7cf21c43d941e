"""A node whose disk is slow, stuck or full: real sockets, and real files at the host."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from lanuno.net.runtime import node_runtime
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.sidecar import Sidecar
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table import outputs
from lanuno.table.messages import Reaction, Said
from tests.harness.sockets.running import PATIENCE, run, until
from tests.harness.sockets.tables import Memory, Table, player, table
from tests.net.loopback_network import Network
from tests.net.succession import PATIENT, QUICK, Held, network, playing, settle

__all__ = ["network"]  # the fixture of the network with short time limits


if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    def _name_of(file: int) -> str:
        text = ctypes.create_unicode_buffer(1000)
        handle = wintypes.HANDLE(msvcrt.get_osfhandle(file))
        ctypes.WinDLL("kernel32").GetFinalPathNameByHandleW(handle, text, 1000, 0)
        return Path(text.value).name

else:

    def _name_of(file: int) -> str:
        """Return the name of an open file."""
        return Path(f"/proc/self/fd/{file}").readlink().name


@dataclass
class SlowDisk:
    """Notes every fsync: its file, and whether the event loop waited for it."""

    monkeypatch: pytest.MonkeyPatch
    synced: list[str] = field(default_factory=list)
    on_loop: list[str] = field(default_factory=list)
    holds: str = ""
    """Every fsync of a file with this in its name waits for `let_go`."""
    fails: int = 0
    """The error of every fsync that has waited."""
    entered: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._real = os.fsync
        self.monkeypatch.setattr(os, "fsync", self._fsync)

    def _fsync(self, file: int) -> None:
        name = _name_of(file)
        self.synced.append(name)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            self.on_loop.append(name)
        if self.holds and self.holds in name:
            self.entered.set()
            assert self.let_go.wait(PATIENCE)
            if self.fails:
                raise OSError(self.fails, os.strerror(self.fails))
        time.sleep(0.01)
        self._real(file)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home.at(tmp_path / "home")
    home.create()
    return home


@dataclass
class InPlay:
    """A table of two in the middle of a round. The host has real files, and its seat waits."""

    at: Table
    host: NodeRuntime
    guest: NodeRuntime
    own: Held
    running: asyncio.Task[TableEnding]
    heard: list[object]
    """The events of the guest."""

    def send(self, text: str) -> outputs.Send:
        """Return the output by which the host sends the guest a line of chat."""
        link = next(iter(self.host._connections))
        return outputs.Send(link, Said("host", 0, text))

    @property
    def lines(self) -> list[str]:
        """The lines of chat that the guest has received."""
        return [each.text for each in self.heard if isinstance(each, outputs.ChatReceived)]

    def secret(self, number: int) -> outputs.StoreSeed:
        """Return an output that has to wait for the disk."""
        return outputs.StoreSeed(0, bytes([number]) * 32, "round", bytes(32))


@asynccontextmanager
async def in_play(home: Home) -> AsyncIterator[InPlay]:
    own, records = Held(player(0)), TableRecords(home)
    async with table(2, ruleset=PATIENT, decides=own, host_records=cast("Memory", records)) as at:
        at.host._config.save_metadata = partial(save_metadata, home)
        guest = await at.peer(1)
        heard: list[object] = []
        guest._observe = heard.append
        [running] = await at.sit_down(guest)
        await until(lambda: at.host.runtime is not None and guest.runtime is not None)
        host, there = at.host.runtime, guest.runtime
        assert host is not None
        assert there is not None
        await settle(host, there)
        try:
            yield InPlay(at, host, there, own, running, heard)
        finally:
            running.cancel()
            await asyncio.wait((running,))


async def finish(played: InPlay) -> None:
    """Play to the end."""
    played.own.held = False
    played.host._bots.schedule()
    await played.at.host.wait()
    await played.at.host.close()
    assert await played.running is TableEnding.CLOSED


def test_the_event_loop_never_waits_for_the_disk(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)

    async def story() -> None:
        async with in_play(home) as played:
            await finish(played)

    run(story())
    assert disk.on_loop == []
    assert any(name.endswith(".sidecar") for name in disk.synced)
    assert any(name.endswith(".lanuno") for name in disk.synced)


def test_a_list_of_outputs_is_flushed_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with in_play(home) as played:
            disk = SlowDisk(monkeypatch)
            head, seq = played.host.node.replay.head, played.host.node.replay.seq
            todo: list[outputs.RuntimeOutput] = [
                played.secret(1),
                played.secret(2),
                outputs.StoreRelease(0, 900, seq, head),
            ]
            played.host._carry_out([*todo, played.send("all of it is on the disk")])
            await until(lambda: played.lines == ["all of it is on the disk"])
            assert [name[-7:] for name in disk.synced] == ["sidecar"]
            await finish(played)

    run(story())


def test_what_follows_waits_for_the_disk_and_keeps_its_order(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop goes on meanwhile: it receives, and the node takes what it receives."""

    async def story() -> None:
        async with in_play(home) as played:
            disk = SlowDisk(monkeypatch, holds=".sidecar")
            host = played.host
            host._carry_out([played.send("before"), played.secret(1), played.send("one")])
            host._carry_out([played.secret(2), played.send("two")])
            host._carry_out([played.send("three")])
            await until(disk.entered.is_set)
            played.guest.send_chat("are you there?")
            played.guest.react(Reaction(0))
            await until(lambda: played.lines == ["before"])
            await until(lambda: len(host._queue) > 0)
            assert played.lines == ["before"], "nothing leaves before its secret is on the disk"
            disk.let_go.set()
            await until(lambda: "are you there?" in played.lines)
            assert played.lines == ["before", "one", "two", "three", "are you there?"]
            assert [name[-7:] for name in disk.synced].count("sidecar") <= 2, "the second is shared"
            await finish(played)

    run(story())


def test_closing_finishes_the_flush(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with in_play(home) as played:
            disk = SlowDisk(monkeypatch, holds=".sidecar")
            played.host._carry_out([played.secret(1), played.send("still said")])
            await until(disk.entered.is_set)
            closing = asyncio.create_task(played.at.host.close())
            await asyncio.wait((closing,), timeout=0.05)
            assert not closing.done()
            disk.let_go.set()
            await closing
            assert played.lines == ["still said"]

    run(story())
    [path] = home.sidecar(bytes(16)).parent.glob("*.sidecar")
    with Sidecar(path) as sidecar:
        assert (bytes([1]) * 32, "round") in sidecar.seeds()[0]


def test_closing_that_is_cancelled_closes_the_files(home: Home) -> None:
    """Although all threads are busy, so that none has begun to close them."""
    free = threading.Event()

    async def story() -> None:
        async with in_play(home) as played:
            for _ in range(64):
                asyncio.get_running_loop().run_in_executor(None, free.wait, PATIENCE)
            closing = asyncio.create_task(played.host.close())
            for _ in range(3):  # as impatient as somebody at a keyboard
                await asyncio.wait((closing,), timeout=0.05)
                closing.cancel()
            free.set()
            with pytest.raises(asyncio.CancelledError):
                await closing
            records = played.host._config.records
            assert isinstance(records, TableRecords)
            assert records._journal is None
            await played.at.host.close()

    run(story())


@pytest.mark.parametrize(
    ("number", "problem"),
    [(errno.ENOSPC, FileProblem.DISK_FULL), (errno.EIO, FileProblem.NOT_WRITABLE)],
)
def test_a_failed_flush_stops_the_node_before_it_sends_anything(
    number: int, problem: FileProblem, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with in_play(home) as played:
            disk = SlowDisk(monkeypatch, holds=".sidecar", fails=number)
            disk.let_go.set()
            played.host._carry_out([played.secret(1), played.send("never said")])
            played.host._carry_out([played.send("nor this")])
            with pytest.raises(StoreError) as caught:
                await played.at.host.wait()
            assert caught.value.problem is problem
            await played.at.host.close()
            assert played.lines == []

    run(story())


def test_one_sync_of_the_journal_at_a_time(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: each of several requests in one list began a sync, and all waited in turn."""
    begun: list[TableRecords] = []
    real = TableRecords.sync

    def sync(records: TableRecords) -> None:
        begun.append(records)
        real(records)

    async def story() -> None:
        async with in_play(home) as played:
            disk = SlowDisk(monkeypatch, holds=".lanuno")
            monkeypatch.setattr(TableRecords, "sync", sync)
            seq = played.host.node.replay.seq
            todo: list[outputs.RuntimeOutput] = [outputs.SyncJournal(seq, 0) for _ in range(3)]
            played.host._carry_out([*todo, played.send("said meanwhile")])
            await until(lambda: disk.entered.is_set() and played.lines == ["said meanwhile"])
            syncs = len(begun)
            disk.let_go.set()
            assert syncs == 1
            await finish(played)

    run(story())


def test_a_host_whose_disk_is_stuck_is_replaced(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It still sends heartbeats. Before, its blocked loop did not."""
    monkeypatch.setattr(node_runtime, "STUCK_DISK_SECONDS", 0.2)
    stuck = threading.Event()

    async def story() -> None:
        async with playing(network, 3, QUICK) as at:
            try:
                at.at.host_records.flush = lambda: stuck.wait(PATIENCE)  # type: ignore[method-assign,assignment]
                at.host._carry_out([outputs.StoreVote(0, b"a vote")])
                await until(lambda: at.guest(1).node.replay.term > 0)
            finally:
                stuck.set()
                for each in at.running:
                    each.cancel()
                await asyncio.wait(at.running)

    run(story())
