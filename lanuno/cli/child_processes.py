"""The child programs of `demo`: one per player, each with its own home and key.

They receive the name of the table and nothing else. Each leaves when its standard input is closed,
and so when the demo ends, however it ends (`child_main.py`). A program that is killed deliberately
may be restarted.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from lanuno.cli.child_main import CHILD_LEAVE_SECONDS
from lanuno.cli.exits import ExitCode
from lanuno.system import files
from lanuno.system.processes import KILLED, start_detached

POLL_SECONDS: Final = 0.02
"""How often to look whether a program has ended: not every event loop can be told."""


class ChildFailure(Struct, frozen=True):
    """A child program that failed before the end of the match."""

    name: str
    code: int
    why: str

    @property
    def exit(self) -> ExitCode:
        """The demo's exit code for this failure."""
        own = (ExitCode.FILES, ExitCode.INTERNAL)
        return ExitCode(self.code) if self.code in own else ExitCode.NETWORK


class ChildProgram(Struct):
    """One player's program, of which at most one process runs at a time."""

    name: str
    home: Path
    """Home of the program. Its output goes to two files beside this folder."""
    process: subprocess.Popen[bytes]
    killed: bool = False
    """Whether it was killed deliberately and may be restarted."""
    _was_done: bool = False
    _restarted: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def start(cls, arguments: Sequence[str], name: str, home: Path) -> ChildProgram:
        """Start a player's program for the first time."""
        return cls(name, home, _run(arguments, home))

    @property
    def is_running(self) -> bool:
        """Whether the process is running, as far as known."""
        return self.process.poll() is None and not self.killed

    async def kill(self) -> bool:
        """Kill the process. Return False if it had already ended."""
        if not self.is_running:
            return False
        self.killed = True
        self._restarted.clear()
        self.process.kill()
        if await _ended(self.process) == KILLED:
            return True
        self.clear_killed()
        return False

    def restart(self, arguments: Sequence[str]) -> None:
        """Start the program again after it was killed."""
        self.process = _run(arguments, self.home)
        self.clear_killed()

    def clear_killed(self, *, done: bool = False) -> None:
        """Note that no restart is due. `done`: its game was over when it was killed."""
        self.killed = False
        self._was_done = done
        self._restarted.set()

    async def wait(self) -> ChildFailure | None:
        """Wait until the program has ended and is not restarted; return its failure, or None."""
        while True:
            process = self.process
            code = await _ended(process)
            if self.killed:
                await self._restarted.wait()
            if self.process is process:
                well = code == ExitCode.OK or self._was_done
                return None if well else ChildFailure(self.name, code, _why(self.home))


def _run(arguments: Sequence[str], home: Path) -> subprocess.Popen[bytes]:
    result, errors = home.with_suffix(".json"), home.with_suffix(".txt")
    result.unlink(missing_ok=True)
    with (
        os.fdopen(files.create(result), "wb") as stdout,
        os.fdopen(files.open_to_append(errors), "wb") as stderr,
    ):
        program = (sys.executable, "-m", "lanuno.cli.child_main")
        # `-m` alone would import files in the current folder as modules.
        environment = {**os.environ, "PYTHONSAFEPATH": "1"}
        command = [*program, *arguments, "--json", "--home", str(home)]
        return start_detached(command, environment, stdout, stderr)


async def _ended(process: subprocess.Popen[bytes]) -> int:
    """Wait until the process has ended, and return its exit code."""
    while (code := process.poll()) is None:  # noqa: ASYNC110 - it can only be asked
        await asyncio.sleep(POLL_SECONDS)
    _close_input(process)
    return code


def _close_input(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()


def _why(home: Path) -> str:
    try:
        output = json.loads(home.with_suffix(".json").read_bytes())
        return str(output.get("error", {}).get("text") or output.get("verdict", ""))
    except (OSError, ValueError):
        return ""


def stop_children(children: Iterable[ChildProgram]) -> None:
    """Ask all programs to leave; kill those that still run after `CHILD_LEAVE_SECONDS`."""
    for each in children:
        each.clear_killed()
        _close_input(each.process)
    asyncio.get_running_loop().call_later(CHILD_LEAVE_SECONDS, _kill_running, children)


def _kill_running(children: Iterable[ChildProgram]) -> None:
    for each in children:
        if each.process.poll() is None:
            each.process.kill()


async def kill_children(children: Iterable[ChildProgram]) -> None:
    """Kill all programs that still run, and wait for them."""
    _kill_running(children)
    for each in children:
        await _ended(each.process)
