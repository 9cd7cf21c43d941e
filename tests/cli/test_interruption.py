"""The event loop of a command, and how Ctrl-C affects it."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanuno.cli.interruption import Interruption, run
from lanuno.system.signals import CLOSED_TERMINAL, REQUESTS

ROOT = Path(__file__).resolve().parents[2]


def interrupt(how: signal.Signals = signal.SIGINT) -> None:
    signal.raise_signal(how)


async def for_ever() -> None:
    await asyncio.Event().wait()


@pytest.fixture(autouse=True)
def hearing() -> Iterator[None]:
    """Restore default signal handlers, in case the tests run in the background or under nohup."""
    usual = {signal.SIGINT: signal.default_int_handler} | dict.fromkeys(
        REQUESTS[1:], signal.SIG_DFL
    )
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    assert {number: signal.getsignal(number) for number in usual} == usual
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, CLOSED_TERMINAL])
def test_the_first_interrupt_asks_to_stop(how: signal.Signals) -> None:
    done: list[str] = []

    async def main(stop: Interruption) -> str:
        over = asyncio.Event()

        async def leave() -> None:
            await asyncio.sleep(0)
            done.append("left")
            over.set()

        stop.on_stop(lambda: done.append("asked"))
        stop.run_on_stop(leave)
        interrupt(how)
        await over.wait()
        assert stop.requested
        stop.on_stop(lambda: done.append("late"))
        return "result"

    assert run(main) == "result"
    assert done == ["asked", "left", "late"]


def test_without_a_terminal_if_that_is_wished() -> None:
    async def main(stop: Interruption) -> bool:
        interrupt(CLOSED_TERMINAL)
        await asyncio.sleep(0)
        return stop.requested

    signal.signal(CLOSED_TERMINAL, signal.SIG_IGN)
    assert not run(main)
    assert signal.signal(CLOSED_TERMINAL, signal.SIG_DFL) is signal.SIG_IGN


def test_work_that_takes_a_while_is_waited_for() -> None:
    done: list[str] = []

    async def leave() -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        done.append("left")

    async def main(stop: Interruption) -> None:
        asked = asyncio.Event()
        stop.run_on_stop(leave)
        stop.on_stop(asked.set)
        interrupt()
        await asked.wait()

    run(main)
    assert done == ["left"]


def test_the_second_interrupt_cancels_everything() -> None:
    done: list[str] = []

    async def main(stop: Interruption) -> None:
        stop.on_stop(interrupt)
        interrupt()
        try:
            await for_ever()
        finally:
            await asyncio.sleep(0)
            done.append("cleaned up")

    with pytest.raises(KeyboardInterrupt):
        run(main)
    assert done == ["cleaned up"]


def test_the_third_interrupt_ends_the_program() -> None:
    stubborn = """
import asyncio, signal
from lanuno.cli.interruption import run
def interrupt():
    signal.raise_signal(signal.SIGINT)
async def main(stop):
    interrupt()
    while True:
        try:
            await asyncio.sleep(0.01)
            interrupt()
        except asyncio.CancelledError:
            pass
run(main)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", stubborn], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_work_that_ends_before_it_is_interrupted() -> None:
    async def work() -> int:
        return 7

    async def fail() -> None:
        raise ValueError("a detail")

    async def main(stop: Interruption) -> int | None:
        with pytest.raises(ValueError, match="a detail"):
            await stop.unless_stopped(fail())
        return await stop.unless_stopped(work())

    assert run(main) == 7


def test_work_that_is_interrupted_is_cancelled() -> None:
    done: list[str] = []

    async def work() -> int:
        try:
            interrupt()
            await for_ever()
        finally:
            done.append("cancelled")
        raise AssertionError

    async def late() -> int:
        raise AssertionError

    async def main(stop: Interruption) -> tuple[int | None, int | None]:
        return await stop.unless_stopped(work()), await stop.unless_stopped(late())

    assert run(main) == (None, None)
    assert done == ["cancelled"]


def test_a_failure_after_the_interruption_is_not_lost() -> None:
    async def leave() -> None:
        raise ValueError("a detail")

    async def main(stop: Interruption) -> None:
        asked = asyncio.Event()
        stop.run_on_stop(leave)
        stop.on_stop(asked.set)
        interrupt()
        await asked.wait()

    with pytest.raises(ValueError, match="a detail"):
        run(main)
