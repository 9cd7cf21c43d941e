"""The limits of a process, its end, and a child that does not get the Ctrl-C of this terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lanuno.system.processes import (
    KILLED,
    OUT_OF_TIME,
    limit_memory,
    limit_processor,
    start_detached,
    was_killed,
)
from tests.harness.sockets.running import PATIENCE
from tests.harness.systems import not_on_windows, not_under_wine


def ended(text: str) -> int:
    """Run a Python program that sets limits, and return its exit code."""
    text = f"from lanuno.system.processes import *\n{text}"
    done = subprocess.run(
        [sys.executable, "-c", text], stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False
    )
    return done.returncode


@not_under_wine("it does not limit the memory of a job")
def test_a_limit_of_memory_is_kept() -> None:
    taken = "try:\n bytearray(2**30)\nexcept MemoryError:\n raise SystemExit(5)"
    assert ended(f"limit_memory(2**29)\n{taken}") == 5
    assert ended(taken) == 0


def test_a_limit_of_processor_time_ends_the_process() -> None:
    code = ended("limit_processor(1.0)\nwhile True: pass")
    assert code == OUT_OF_TIME
    assert was_killed(code)


@not_on_windows("a job has one limit, without a lower one")
def test_a_limit_that_the_system_refuses_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    set_limits: list[tuple[int, tuple[int, int]]] = []

    def refuse(what: int, limits: tuple[int, int]) -> None:
        set_limits.append((what, limits))
        raise ValueError("not on this system")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    limit_memory(2**30)
    limit_processor(7.5)
    assert [what for what, _ in set_limits] == [
        resource.RLIMIT_AS,
        resource.RLIMIT_CORE,
        resource.RLIMIT_CPU,
    ]
    assert set_limits[2][1][0] == 8


@not_on_windows("a job has one limit, without a lower one")
def test_a_lower_limit_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    found: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10, 20))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: found.append(limits))
    limit_memory(15)
    limit_processor(100.0)
    assert found == [(15, 15), (0, 0), (20, 20)]


def test_a_detached_program_reads_its_pipe_and_can_be_killed(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out:
        command = (sys.executable, "-c", "import sys; print(sys.stdin.read())")
        process = start_detached(command, os.environ, out, out)
        killed = start_detached(command, os.environ, out, out)
    process.communicate(b"told", PATIENCE)
    assert (tmp_path / "out").read_text() == "told\n"
    killed.kill()
    assert killed.wait(PATIENCE) == KILLED
    assert was_killed(KILLED)
    assert not was_killed(0)
    killed.communicate()
