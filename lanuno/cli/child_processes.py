"""The child programs of `demo`: one per player, each with its own home and key.

They receive the name of the table and nothing else. They end when the demo ends, however it ends
(`child_main.py`). A program that is killed deliberately may be restarted.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field

from lanuno.cli.child_main import CHILD_LEAVE_SECONDS
from lanuno.cli.exits import ExitCode


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
    """Home of the program. Its standard error goes to a file beside this folder."""
    parent_pipe: int
    """Read end of a pipe whose write end only the parent holds; the program ends when it closes."""
    process: asyncio.subprocess.Process
    killed: bool = False
    """Whether it was killed deliberately and may be restarted."""
    _was_done: bool = False
    _restarted: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def start(
        cls, arguments: Sequence[str], name: str, home: Path, parent_pipe: int
    ) -> ChildProgram:
        """Start a player's program for the first time."""
        return cls(name, home, parent_pipe, await _run(arguments, home, parent_pipe))

    @property
    def is_running(self) -> bool:
        """Whether the process is running, as far as known."""
        return self.process.returncode is None and not self.killed

    async def kill(self) -> bool:
        """Kill the process. Return False if it had already ended."""
        if not self.is_running:
            return False
        self.killed = True
        self._restarted.clear()
        self.process.kill()
        if await self.process.wait() == -signal.SIGKILL:
            return True
        self.clear_killed()
        return False

    async def restart(self, arguments: Sequence[str]) -> None:
        """Start the program again after it was killed."""
        self.process = await _run(arguments, self.home, self.parent_pipe)
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
            stdout = process.stdout
            assert stdout is not None
            output = await stdout.read()
            code = await process.wait()
            if self.killed:
                await self._restarted.wait()
            if self.process is process:
                well = code == ExitCode.OK or self._was_done
                return None if well else ChildFailure(self.name, code, _why(output))


async def _run(
    arguments: Sequence[str], home: Path, parent_pipe: int
) -> asyncio.subprocess.Process:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    output = os.open(home.with_suffix(".txt"), flags, 0o600)
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "lanuno.cli.child_main",
            *arguments,
            "--json",
            "--home",
            str(home),
            stdin=parent_pipe,
            stdout=asyncio.subprocess.PIPE,
            stderr=output,
            # `-m` alone would import files in the current folder as modules.
            env={**os.environ, "PYTHONSAFEPATH": "1"},
            start_new_session=True,
        )
    finally:
        os.close(output)


def _why(stdout: bytes) -> str:
    try:
        output = json.loads(stdout)
        return str(output.get("error", {}).get("text") or output.get("verdict", ""))
    except ValueError:
        return ""


def stop_children(children: Iterable[ChildProgram]) -> None:
    """Ask all programs to leave; kill those that still run after `CHILD_LEAVE_SECONDS`."""
    for each in children:
        each.clear_killed()
        if each.process.returncode is None:
            each.process.terminate()
    asyncio.get_running_loop().call_later(CHILD_LEAVE_SECONDS, _kill_running, children)


def _kill_running(children: Iterable[ChildProgram]) -> None:
    for each in children:
        if each.process.returncode is None:
            each.process.kill()


async def kill_children(children: Iterable[ChildProgram]) -> None:
    """Kill all programs that still run, and wait for them."""
    _kill_running(children)
    for each in children:
        await each.process.wait()
