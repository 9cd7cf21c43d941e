"""How long a node searches for a host before it gives up."""

from __future__ import annotations

import asyncio

import pytest

from lanuno.net.runtime.search_deadline import (
    LONGEST_SEARCH_SECONDS,
    SearchDeadline,
    usual_search_seconds,
)
from lanuno.rules.ruleset import Ruleset
from tests.harness.sockets.running import run, until


@pytest.mark.parametrize(
    ("total", "seconds"),
    [(0, 0.0), (3, 10.0), (180, LONGEST_SEARCH_SECONDS), (300, 600.0), (3600, 3600.0)],
)
def test_a_guest_looks_for_a_host_for_ten_minutes_by_default(total: int, seconds: float) -> None:
    """The search depends on the table's grace time, and is never shorter than it."""
    assert usual_search_seconds(Ruleset(grace_total_s=total)) == pytest.approx(seconds)


def test_patience_ends_unless_it_is_turned_off() -> None:
    async def story() -> None:
        gave_up: list[int] = []
        patience = SearchDeadline(0.01, lambda: gave_up.append(1))
        patience.restart()
        patience.set_active(on=True)
        patience.set_active(on=True)
        patience.set_active(on=False)
        await asyncio.sleep(0.05)
        assert gave_up == []
        patience.set_active(on=True)
        patience.restart()
        await until(lambda: gave_up == [1])
        patience.set_active(on=False)

    run(story())
