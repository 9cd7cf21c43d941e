"""Work in a bounded process: it answers or is ended for a reason, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import active_children
from multiprocessing.process import BaseProcess

import pytest

from lanuno.system import bounded_process
from lanuno.system.bounded_process import (
    BoundedProcess,
    LimitReached,
    ReportProgress,
    WorkCancelled,
    WorkFailed,
    WorkLimit,
)
from tests.harness.systems import not_on_windows, not_under_wine
from tests.system import bounded_work

needs_memory_limits = not_under_wine("it does not limit the memory of a job")


def quiet(_: object) -> None:
    """Ignore the progress."""


def test_it_answers_and_says_how_far_it_is() -> None:
    heard: list[object] = []
    with BoundedProcess() as process:
        assert process.run(partial(bounded_work.double, number=4), heard.append) == 8
        first = process.run(bounded_work.process, quiet)
        assert process.run(bounded_work.process, quiet) == first
        assert len(active_children()) == 1
    assert heard == [0, 1, 2]
    assert active_children() == []


@pytest.mark.parametrize(
    ("work", "limit"),
    [
        (bounded_work.endless, WorkLimit.TIME),
        (bounded_work.endless_unseen, WorkLimit.TIME),
        pytest.param(bounded_work.greedy, WorkLimit.MEMORY, marks=needs_memory_limits),
        (bounded_work.deep, WorkLimit.MEMORY),
        (bounded_work.killed, WorkLimit.KILLED),
    ],
)
def test_work_that_takes_too_much_is_given_up(
    work: Callable[[ReportProgress], object], limit: WorkLimit, capfd: pytest.CaptureFixture[str]
) -> None:
    with BoundedProcess(seconds=0.2, memory=512 * 2**20) as process:
        with pytest.raises(LimitReached) as reached:
            process.run(work, quiet)
        assert reached.value.limit is limit
        assert active_children() == []
        # A new process replaces it.
        assert process.run(partial(bounded_work.double, number=1), quiet) == 2
    assert capfd.readouterr() == ("", "")


@needs_memory_limits
def test_a_process_without_memory_ends_without_output(capfd: pytest.CaptureFixture[str]) -> None:
    with BoundedProcess(memory=2**20) as process, pytest.raises(LimitReached) as reached:
        process.run(bounded_work.crowded, quiet)
    assert reached.value.limit is WorkLimit.MEMORY
    assert capfd.readouterr() == ("", "")


def test_a_mistake_of_the_program_is_not_hidden(capfd: pytest.CaptureFixture[str]) -> None:
    with BoundedProcess() as process, pytest.raises(WorkFailed, match="ValueError: a mistake"):
        process.run(bounded_work.mistaken, quiet)
    assert capfd.readouterr() == ("", "")


@not_on_windows("Ctrl-C cannot be blocked")
def test_an_interruption_is_the_callers_alone(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with BoundedProcess() as process:
        assert process.run(bounded_work.interrupted, quiet) == "went on"
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    assert capfd.readouterr() == ("", "")


FIRST_OF_A_PROGRAM = """
from lanuno.system.bounded_process import BoundedProcess
from tests.system import bounded_work

with BoundedProcess() as process:
    print(process.run(bounded_work.blocks_interrupts, lambda _: None))
"""


@not_on_windows("Ctrl-C cannot be blocked")
def test_the_first_process_of_a_program_starts_with_interrupts_blocked() -> None:
    """Before the process ignores Ctrl+C, an interrupt would end it with a traceback."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_OF_A_PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_caller_gives_up() -> None:
    def later(_: object) -> None:
        threading.Thread(target=process.cancel).start()

    with BoundedProcess() as process, pytest.raises(WorkCancelled):
        process.run(bounded_work.endless, later)
    assert active_children() == []


def test_any_error_of_the_caller_ends_the_process() -> None:
    def broken(_: object) -> None:
        raise KeyboardInterrupt

    process = BoundedProcess()
    with pytest.raises(KeyboardInterrupt):
        process.run(bounded_work.endless, broken)
    assert active_children() == []
    process.close()


def test_a_process_that_does_nothing_at_all_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_process, "LONGEST_WORK_SECONDS", 0.0)
    with BoundedProcess() as process, pytest.raises(LimitReached) as reached:
        process.run(bounded_work.process, quiet)
    assert reached.value.limit is WorkLimit.TIME


def test_a_process_that_cannot_start_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: BaseProcess) -> None:
        raise BlockingIOError

    monkeypatch.setattr(BaseProcess, "start", refuse)
    with BoundedProcess() as process, pytest.raises(LimitReached) as reached:
        process.run(bounded_work.process, quiet)
    assert reached.value.limit is WorkLimit.NOT_STARTED


def test_giving_up_takes_no_time() -> None:
    with BoundedProcess() as process:
        process.cancel()
        began = time.monotonic()
        with pytest.raises(WorkCancelled):
            process.run(bounded_work.endless, quiet)
    assert time.monotonic() - began < 10
