"""The main module of a child program: it ends when its parent does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lanuno.cli.exits import ExitCode
from tests.cli.replaced_command import ROOT
from tests.harness.systems import not_on_windows

WAITS = ("bot", "--table", "nowhere", "--seconds", "3600", "--adapter", "127.0.0.1", "--lang", "en")
"""A command that waits until it is stopped."""

DEAF = """
import signal, threading
from lanuno.cli import child_main
child_main.CHILD_LEAVE_SECONDS = 0.01
signal.signal(signal.SIGTERM, signal.SIG_IGN)
threading.Thread(target=child_main._watch, daemon=True).start()
print("ready", flush=True)
while True:
    signal.pause()
"""
"""A program that never leaves when it is asked to."""


COUNTED = """
import os
from lanuno.cli import child_main
child_main.CHILD_LEAVE_SECONDS = 0.0
read = os.read
def counted(file, size):
    print("reads", flush=True)
    return read(file, size)
os.read = counted
child_main.signals.request_end = lambda: print("leaves", flush=True)
child_main._watch()
"""
"""A program that reports each attempt to read from the pipe."""


@contextmanager
def child(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Yield a child program, and the end of the pipe that its parent holds."""
    reading, writing = os.pipe()
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        stdin=reading,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        os.close(reading)
        try:
            yield process, writing
        finally:
            process.kill()


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline()


def test_a_command_runs_as_always_while_its_parent_lives(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path / "home"))
    with child("-m", "lanuno.cli.child_main", "rules", "classic", *home) as (process, writing):
        out, err = process.communicate()
        assert (process.returncode, err) == (ExitCode.OK, "")
        assert out.startswith("Classic (classic)")
        os.close(writing)


def test_a_command_leaves_when_its_parent_is_gone(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path / "home"))
    with child("-m", "lanuno.cli.child_main", *WAITS, *home) as (process, writing):
        assert "looking for" in heard(process)
        os.close(writing)
        assert process.wait() == ExitCode.INTERRUPTED


@not_on_windows("a program cannot ignore the end that the system asks for")
def test_a_command_that_does_not_leave_ends_all_the_same() -> None:
    with child("-c", DEAF) as (process, writing):
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.close(writing)
        assert process.wait() == ExitCode.INTERRUPTED


def test_bytes_in_the_pipe_are_no_sign_that_the_parent_is_gone() -> None:
    with child("-c", COUNTED) as (process, writing):
        os.write(writing, b"ab")
        os.close(writing)
        out, _ = process.communicate()
    assert out.split() == ["reads", "reads", "reads", "leaves"]
