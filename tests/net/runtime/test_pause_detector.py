"""A program that did not run for a while, with simulated clocks."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from lanuno.net.runtime.pause_detector import PAUSE_SECONDS, PauseDetector
from tests.harness.sockets.running import run, until


@dataclass
class Clock:
    """A clock that a test sets."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Looked:
    """A pause detector with simulated clocks, and the pauses that it reported."""

    loop: Clock = field(default_factory=Clock)
    always: Clock = field(default_factory=Clock)
    told: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pauses = PauseDetector(self.told.append, clock=self.loop, suspend_clock=self.always)

    def pass_by(self, seconds: float, asleep: float = 0.0) -> bool:
        self.loop.now += seconds
        self.always.now += seconds + asleep
        return self.pauses.check()


def test_a_program_that_looks_often_was_not_paused() -> None:
    looked = Looked()
    assert not any(looked.pass_by(PAUSE_SECONDS - 0.01) for _ in range(10))
    assert looked.told == []


def test_a_pause_is_reported_once_with_its_length() -> None:
    looked = Looked()
    assert looked.pass_by(70.0)
    assert not looked.pass_by(0.0)
    assert looked.told == [70.0]


def test_suspension_is_detected_although_the_clock_of_the_loop_stood_still() -> None:
    looked = Looked()
    assert looked.pass_by(0.1, asleep=3_600.0)
    assert looked.told == [0.1], "only the loop's clock counts, by which timers are overdue"


def test_the_detector_checks_without_other_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """The detector checks regularly without other events, and stops at `end`."""
    monkeypatch.setattr("lanuno.net.runtime.pause_detector.PAUSE_CHECK_SECONDS", 0.001)

    async def story() -> None:
        looked = Looked()
        looked.pauses.begin()
        looked.loop.now = PAUSE_SECONDS
        await until(lambda: looked.told == [PAUSE_SECONDS])
        looked.pauses.end()
        looked.pauses.end()
        looked.loop.now += PAUSE_SECONDS
        await asyncio.sleep(0.05)
        assert looked.told == [PAUSE_SECONDS]

    run(story())


def test_without_a_clock_that_runs_in_sleep_only_the_loop_tells_of_pauses() -> None:
    told: list[float] = []
    clock = Clock()
    pauses = PauseDetector(told.append, clock=clock, suspend_clock=clock)
    assert not pauses.check()
    clock.now = PAUSE_SECONDS
    assert pauses.check()
    assert told == [PAUSE_SECONDS]
