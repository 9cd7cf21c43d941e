"""Parts of work in copies of a process: results, failures, and their processor time."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

import psutil
import pytest

from lanuno.log.audit.audit import audit
from lanuno.log.format.transcript import read
from lanuno.system.bounded_process import (
    BoundedProcess,
    LimitReached,
    ReportProgress,
    WorkCancelled,
    WorkLimit,
)
from lanuno.system.forked_work import ForkedWork
from lanuno.system.processes import CAN_COPY, spent_seconds
from tests.harness.log_table.log_table import new_table
from tests.harness.systems import not_on_windows


def where(number: int) -> tuple[int, int]:
    return number, os.getpid()


@pytest.mark.parametrize("copies", [0, 1, 3])
def test_every_part_has_its_own_result(copies: int) -> None:
    parts = ForkedWork(copies)
    waits = [parts.begin(partial(where, number)) for number in range(7)]
    results = [wait() for wait in waits]
    assert [number for number, _ in results] == list(range(7))
    assert results == [wait() for wait in waits], "a result can be had twice"
    assert (os.getpid() in {pid for _, pid in results}) == (copies == 0 or not CAN_COPY)


def test_a_large_result_arrives() -> None:
    parts = ForkedWork(1)
    waits = [parts.begin(lambda: bytes(2**20)) for _ in range(3)]
    assert [len(wait()) for wait in waits] == [2**20] * 3


@not_on_windows("a process cannot be copied")
def test_a_part_that_fails_in_its_copy_fails_here() -> None:
    def fails() -> int:
        raise MemoryError

    wait = ForkedWork(1).begin(fails)
    with pytest.raises(MemoryError):
        wait()


@not_on_windows("a process cannot be copied")
def test_a_part_whose_copy_is_killed_is_done_here() -> None:
    here = os.getpid()

    def killed_elsewhere() -> int:
        if os.getpid() != here:
            os.kill(os.getpid(), 9)
        return 5

    assert ForkedWork(1).begin(killed_elsewhere)() == 5


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@not_on_windows("a process cannot be copied")
def test_the_time_of_copies_counts() -> None:
    before = spent_seconds()
    ForkedWork(1).begin(lambda: burn(0.2))()
    assert spent_seconds() - before >= 0.2


def all_in_copies(report: ReportProgress) -> None:
    """Spend time in copies only."""
    parts = ForkedWork(2)
    while True:
        parts.begin(lambda: burn(0.1))()
        report(None)


@not_on_windows("a process cannot be copied")
def test_work_in_copies_has_the_limits_of_a_process() -> None:
    with BoundedProcess(seconds=0.5) as process, pytest.raises(LimitReached) as caught:
        process.run(all_in_copies, lambda _: None)
    assert caught.value.limit is WorkLimit.TIME


def endless_copy(report: ReportProgress, place: Path) -> None:
    def part() -> None:
        place.write_text(str(os.getpid()))
        burn(60)

    wait = ForkedWork(1).begin(part)
    while not place.exists() or not place.read_text():
        time.sleep(0.01)
    report(None)
    wait()


def is_running(pid: int) -> bool:
    """Whether a process does anything: a dead one may stay listed, because nobody waits for it."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@not_on_windows("a process cannot be copied")
def test_a_cancelled_check_leaves_no_copy(tmp_path: Path) -> None:
    place = tmp_path / "pid"
    process = BoundedProcess()
    with pytest.raises(WorkCancelled):
        process.run(partial(endless_copy, place=place), lambda _: process.cancel())
    copy = int(place.read_text())
    end = time.monotonic() + 20
    while is_running(copy):
        assert time.monotonic() < end, "the copy is still running"
        time.sleep(0.01)


def test_rounds_audited_side_by_side_give_the_same_report() -> None:
    table = new_table(3, rounds=3).run()
    transcript = read(table.file)
    assert audit(transcript, None, ForkedWork(2).begin) == audit(transcript)
