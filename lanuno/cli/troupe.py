"""The programs that `demo` starts: one for each player, with a home and a key of its own.

They are told the name of the table and nothing else. They end when the demo does, however that
ends (`tethered.py`). A program that is killed on purpose may be started again.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.tethered import LEAVE_SECONDS


@dataclass(frozen=True, slots=True)
class Trouble:
    """A program that could not play to the end by itself."""

    name: str
    code: int
    why: str

    @property
    def exit(self) -> ExitCode:
        """The exit code that says the same of the demo."""
        own = (ExitCode.FILES, ExitCode.INTERNAL)
        return ExitCode(self.code) if self.code in own else ExitCode.NETWORK


@dataclass(slots=True)
class Actor:
    """One player's program, of which there is one run at a time."""

    name: str
    home: Path
    """What it says on standard error is kept beside it."""
    tether: int
    """File descriptor of the pipe that the program lives by."""
    process: asyncio.subprocess.Process
    killed: bool = False
    """Whether it was killed on purpose, and may be started again."""
    _was_done: bool = False
    _again: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def start(cls, arguments: Sequence[str], name: str, home: Path, tether: int) -> Actor:
        """Start a player's program for the first time."""
        return cls(name, home, tether, await _run(arguments, home, tether))

    @property
    def runs(self) -> bool:
        """Whether it runs, as far as is known."""
        return self.process.returncode is None and not self.killed

    async def kill(self) -> bool:
        """End it on the spot, at whatever it is; False if it had ended by itself."""
        if not self.runs:
            return False
        self.killed = True
        self._again.clear()
        self.process.kill()
        if await self.process.wait() == -signal.SIGKILL:
            return True
        self.rest()
        return False

    async def start_again(self, arguments: Sequence[str]) -> None:
        """Start it again after it was killed."""
        self.process = await _run(arguments, self.home, self.tether)
        self.rest()

    def rest(self, *, done: bool = False) -> None:
        """It is not killed any more. `done`: its game was over when it was."""
        self.killed = False
        self._was_done = done
        self._again.set()

    async def follow(self) -> Trouble | None:
        """Wait until it has ended for good, and say so if it did not end well."""
        while True:
            process = self.process
            stdout = process.stdout
            assert stdout is not None
            said = await stdout.read()
            code = await process.wait()
            if self.killed:
                await self._again.wait()
            if self.process is process:
                well = code == ExitCode.OK or self._was_done
                return None if well else Trouble(self.name, code, _why(said))


async def _run(arguments: Sequence[str], home: Path, tether: int) -> asyncio.subprocess.Process:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    said = os.open(home.with_suffix(".txt"), flags, 0o600)
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "lanuno.cli.tethered",
            *arguments,
            "--json",
            "--home",
            str(home),
            stdin=tether,
            stdout=asyncio.subprocess.PIPE,
            stderr=said,
            # `-m` alone would take files in the current folder for modules.
            env={**os.environ, "PYTHONSAFEPATH": "1"},
            start_new_session=True,
        )
    finally:
        os.close(said)


def _why(stdout: bytes) -> str:
    try:
        said = json.loads(stdout)
        return str(said.get("error", {}).get("text") or said.get("verdict", ""))
    except ValueError:
        return ""


def end(actors: Iterable[Actor]) -> None:
    """Ask all programs to leave; those that do not are killed after a while."""
    for each in actors:
        each.rest()
        if each.process.returncode is None:
            each.process.terminate()
    asyncio.get_running_loop().call_later(LEAVE_SECONDS, _kill, actors)


def _kill(actors: Iterable[Actor]) -> None:
    for each in actors:
        if each.process.returncode is None:
            each.process.kill()


async def end_all(actors: Iterable[Actor]) -> None:
    """Nothing of them is left behind."""
    for each in actors:
        if each.process.returncode is None:
            each.process.kill()
            await each.process.wait()
