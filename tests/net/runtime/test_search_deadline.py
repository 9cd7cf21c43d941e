"""How long a node searches for a host before it gives up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lanuno.net.runtime.search_deadline import (
    LONGEST_SEARCH_SECONDS,
    SearchDeadline,
    usual_search_seconds,
)
from lanuno.rules.ruleset import Ruleset
from tests.harness.sockets.running import run
from tests.harness.sockets.stopped_clock import stopped_clock


@pytest.mark.parametrize(
    ("total", "seconds"),
    [(0, 0.0), (3, 10.0), (180, LONGEST_SEARCH_SECONDS), (300, 600.0), (3600, 3600.0)],
)
def test_the_search_lasts_ten_minutes_by_default(total: int, seconds: float) -> None:
    """The search depends on the table's grace time, and is never shorter than it."""
    assert usual_search_seconds(Ruleset(grace_total_s=total)) == pytest.approx(seconds)


SECONDS = 0.5
"""The deadline of these tests, on a clock that they move."""


def given_up(*steps: tuple[float, Callable[[SearchDeadline], None]], until: float) -> int:
    """Return how often the callback was called by a time; each step happens at its time.

    Times are in units of the deadline.
    """

    async def story() -> int:
        calls: list[None] = []
        deadline = SearchDeadline(SECONDS, lambda: calls.append(None))
        with stopped_clock() as clock:
            before = 0.0
            for at, step in steps:
                await clock.advance((at - before) * SECONDS)
                step(deadline)
                before = at
            await clock.advance((until - before) * SECONDS)
        deadline.set_active(on=False)
        return len(calls)

    return run(story())


def start(deadline: SearchDeadline) -> None:
    deadline.set_active(on=True)


def stop(deadline: SearchDeadline) -> None:
    deadline.set_active(on=False)


def test_a_search_is_given_up_once() -> None:
    assert given_up((0.0, start), until=0.9) == 0
    assert given_up((0.0, start), until=1.1) == 1
    assert given_up((0.0, start), (0.1, start), until=2.5) == 1


def test_a_search_that_goes_on_keeps_its_deadline() -> None:
    """The runtime says after every message whether it searches."""
    assert given_up((0.0, start), (0.6, start), until=1.2) == 1


def test_a_search_that_has_ended_is_not_given_up() -> None:
    assert given_up((0.0, start), (0.8, stop), until=1.5) == 0
    assert given_up((0.0, stop), until=0.1) == 0


def test_the_next_search_has_its_full_time() -> None:
    steps = (0.0, start), (0.6, stop), (0.7, start)
    assert given_up(*steps, until=1.5) == 0
    assert given_up(*steps, until=1.9) == 1


def test_a_pause_of_the_program_restarts_a_running_search_only() -> None:
    assert given_up((0.0, start), (0.6, SearchDeadline.restart), until=1.4) == 0
    assert given_up((0.0, start), (0.6, SearchDeadline.restart), until=1.8) == 1
    assert given_up((0.0, SearchDeadline.restart), until=1.5) == 0
