"""The journal is synced on another thread while the log continues, is truncated, or is closed."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lanuno.log.format.transcript import read
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.table_records import TableRecords
from tests.harness.log_table.log_table import LogTable, new_table

PATIENCE = 120.0


@pytest.fixture(scope="module")
def played() -> LogTable:
    return new_table(2).run()


@pytest.fixture
def records(tmp_path: Path, played: LogTable) -> Iterator[TableRecords]:
    home = Home.at(tmp_path / "home")
    home.create()
    records = TableRecords(home)
    records.begin(played.genesis)
    for entry in played.entries[:5]:
        records.entry(entry)
    records.sync()
    yield records
    records.close()


class SlowDisk:
    """Holds the first fsync until it is released, and records the order of the calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failure: int = 0) -> None:
        self.entered, self.let_go = threading.Event(), threading.Event()
        self.done: list[str] = []
        self._failure = failure
        self._first = True
        self._real = {name: getattr(os, name) for name in ("fsync", "ftruncate", "close")}
        monkeypatch.setattr(os, "fsync", self._fsync)
        for name in ("ftruncate", "close"):
            monkeypatch.setattr(os, name, self._noted(name))

    def _fsync(self, file: int) -> None:
        if not self._first:
            self._real["fsync"](file)
            return
        self._first = False
        self.entered.set()
        assert self.let_go.wait(PATIENCE)
        self.done.append("synced")
        if self._failure:
            raise OSError(self._failure, os.strerror(self._failure))
        self._real["fsync"](file)

    def _noted(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self.done.append(name)
            return self._real[name](*arguments)

        return call


class Waited:
    """A lock that signals when a thread tries to acquire it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.came = threading.Semaphore(0)

    def __enter__(self) -> None:
        self.came.release()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class Thread(threading.Thread):
    """A thread that keeps its error."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self.error: StoreError | None = None
        self.start()

    def run(self) -> None:
        try:
            self._work()
        except StoreError as error:
            self.error = error

    def ended(self) -> StoreError | None:
        self.join(PATIENCE)
        assert not self.is_alive()
        return self.error


def while_syncing(
    records: TableRecords, disk: SlowDisk, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> tuple[StoreError | None, StoreError | None]:
    """Start a sync, start `work` on another thread during it, and return the errors of both."""
    lock = Waited()
    monkeypatch.setattr(records, "_writing", lock)
    syncing = Thread(records.sync)
    assert disk.entered.wait(PATIENCE)
    assert lock.came.acquire(timeout=PATIENCE)
    other = Thread(work)
    assert lock.came.acquire(timeout=PATIENCE)
    disk.let_go.set()
    return syncing.ended(), other.ended()


def test_entries_do_not_wait_for_the_disk(
    records: TableRecords, played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    syncing = Thread(records.sync)
    assert disk.entered.wait(PATIENCE)
    records.entry(played.entries[5])
    assert disk.done == []
    disk.let_go.set()
    assert syncing.ended() is None
    assert records.path is not None
    assert read(records.path.read_bytes()).entries == tuple(played.entries[:6])


def test_a_cut_waits_for_the_disk(
    records: TableRecords, played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    ends = while_syncing(records, disk, lambda: records.truncate(2), monkeypatch)
    assert ends == (None, None)
    assert disk.done[0] == "synced"
    assert "ftruncate" in disk.done
    records.entry(played.entries[2])
    records.sync()
    assert records.path is not None
    assert read(records.path.read_bytes()).entries == tuple(played.entries[:3])


def test_closing_waits_for_the_disk(records: TableRecords, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = SlowDisk(monkeypatch)
    ends = while_syncing(records, disk, records.close, monkeypatch)
    assert ends == (None, None)
    assert disk.done == ["synced", "close", "close"]
    # A sync after closing raises no error.
    records.sync()


@pytest.mark.parametrize("what", ["cut", "close"])
def test_a_disk_that_fails_on_the_thread(
    what: str, records: TableRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch, errno.ENOSPC)
    work = {"cut": lambda: records.truncate(2), "close": records.close}[what]
    syncing, other = while_syncing(records, disk, work, monkeypatch)
    assert syncing is not None
    assert syncing.problem is FileProblem.DISK_FULL
    if what == "close":
        assert other is None  # it only closes: the sync has already raised the error
    else:
        assert other is not None
        assert (other.problem, other.path) == (syncing.problem, syncing.path)
        assert "ftruncate" not in disk.done


def test_every_write_after_a_failed_sync_raises_its_error(
    records: TableRecords, played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread's error reaches the driver only after its next attempt to store something."""
    disk = SlowDisk(monkeypatch, errno.EIO)
    disk.let_go.set()
    assert Thread(records.sync).ended() is not None
    writes: tuple[Callable[[], None], ...] = (
        lambda: records.entry(played.entries[5]),
        lambda: records.vote(1, b"vote"),
        records.sync,
    )
    for write in writes:
        with pytest.raises(StoreError) as caught:
            write()
        assert caught.value.problem is FileProblem.NOT_WRITABLE
        assert caught.value.detail == os.strerror(errno.EIO)
    assert records.path is not None
    assert read(records.path.read_bytes()).entries == tuple(played.entries[:5])
