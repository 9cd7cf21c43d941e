"""The child programs of `demo`: started, killed, restarted and stopped, as real processes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest

from lanuno.cli.child_processes import ChildFailure, ChildProgram, kill_children, stop_children
from lanuno.cli.exits import ExitCode
from lanuno.system.processes import KILLED
from tests.harness.sockets.running import until
from tests.harness.systems import is_private

ENDS = ("rules", "classic")
"""A command that ends well."""
WAITS = ("bot", "--table", "nowhere", "--seconds", "3600", "--adapter", "127.0.0.1", "--lang", "en")
"""A command that waits until it is stopped."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "Ana"


async def waiting(home: Path) -> ChildProgram:
    """Start a program, and return it once it waits for a table."""
    child = ChildProgram.start(WAITS, "Ana", home)
    await until(lambda: "looking for" in home.with_suffix(".txt").read_text())
    return child


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        (ExitCode.FILES, ExitCode.FILES),
        (ExitCode.INTERNAL, ExitCode.INTERNAL),
        (ExitCode.USAGE, ExitCode.NETWORK),
        (ExitCode.INCOMPLETE, ExitCode.NETWORK),
        (KILLED, ExitCode.NETWORK),
    ],
)
def test_the_exit_code_of_a_failure(code: int, exit_code: ExitCode) -> None:
    """Files and bugs are those of this computer; anything else happened at the table."""
    assert ChildFailure("Ana", code, "").exit is exit_code


def test_a_program_that_ends_well_is_no_failure(home: Path) -> None:
    async def story() -> None:
        child = ChildProgram.start(ENDS, "Ana", home)
        assert await child.wait() is None
        assert not child.is_running
        assert not await child.kill()
        assert not child.killed

    asyncio.run(story())


def test_a_program_that_fails_says_why(home: Path) -> None:
    async def story() -> None:
        child = ChildProgram.start(("rules", "nonesuch"), "Ana", home)
        failure = await child.wait()
        assert failure is not None
        assert (failure.name, failure.code) == ("Ana", ExitCode.USAGE)
        assert "nonesuch" in failure.why

    asyncio.run(story())


def test_the_output_of_a_program_is_kept_in_a_private_file_beside_its_home(home: Path) -> None:
    async def story() -> None:
        for number in (1, 2):
            child = ChildProgram.start(("rules", f"none{number}"), "Ana", home)
            await child.wait()

    asyncio.run(story())
    said = home.with_suffix(".txt")
    assert is_private(said)
    assert [f"none{number}" in said.read_text() for number in (1, 2)] == [True, True]


def test_a_killed_program_that_is_restarted_is_no_failure(home: Path) -> None:
    async def story() -> None:
        child = await waiting(home)
        assert child.is_running
        ended = asyncio.create_task(child.wait())
        assert await child.kill()
        assert (child.killed, child.is_running) == (True, False)
        assert not await child.kill(), "it is dead already"
        child.restart(ENDS)
        assert not child.killed
        assert await ended is None
        assert child.process.returncode == ExitCode.OK

    asyncio.run(story())


def test_the_failure_of_a_restarted_program_counts(home: Path) -> None:
    async def story() -> None:
        child = await waiting(home)
        await child.kill()
        child.restart(("rules", "nonesuch"))
        failure = await child.wait()
        assert failure is not None
        assert failure.code == ExitCode.USAGE

    asyncio.run(story())


@pytest.mark.parametrize("done", [True, False])
def test_a_killed_program_that_is_not_restarted(done: bool, home: Path) -> None:
    """It is a failure, unless its game was over when it was killed."""

    async def story() -> None:
        child = await waiting(home)
        ended = asyncio.create_task(child.wait())
        await child.kill()
        child.clear_killed(done=done)
        expected = None if done else ChildFailure("Ana", KILLED, "")
        assert await ended == expected

    asyncio.run(story())


def test_programs_that_are_stopped_leave_by_themselves(home: Path) -> None:
    async def story() -> None:
        child = await waiting(home)
        stop_children([child])
        failure = await child.wait()
        assert failure is not None
        assert failure.code == ExitCode.INTERRUPTED

    asyncio.run(story())


def test_a_killed_program_that_is_stopped_is_not_waited_for(home: Path) -> None:
    async def story() -> None:
        child = await waiting(home)
        ended = asyncio.create_task(child.wait())
        await child.kill()
        stop_children([child])
        assert await ended == ChildFailure("Ana", KILLED, "")

    asyncio.run(story())


def test_programs_that_do_not_leave_are_killed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped process cannot handle the request to leave."""
    monkeypatch.setattr("lanuno.cli.child_processes.CHILD_LEAVE_SECONDS", 0.01)

    async def story() -> None:
        child = await waiting(home)
        psutil.Process(child.process.pid).suspend()
        stop_children([child])
        failure = await child.wait()
        assert failure is not None
        assert failure.code == KILLED

    asyncio.run(story())


def test_killing_all_waits_for_all(tmp_path: Path) -> None:
    async def story() -> None:
        children = [
            await waiting(tmp_path / "Ana"),
            ChildProgram.start(ENDS, "Beto", tmp_path / "Beto"),
            await waiting(tmp_path / "Carla"),
        ]
        await children[1].wait()
        await kill_children(children)
        codes = [each.process.returncode for each in children]
        assert codes == [KILLED, ExitCode.OK, KILLED]
        for each in children:
            await each.wait()

    asyncio.run(story())
