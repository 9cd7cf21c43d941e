"""Rate limits: a burst, then a rate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.table.budget import Budget


def test_a_budget_has_a_burst_and_then_a_rate() -> None:
    lines = Budget(1.0, 8)
    assert sum(lines.take(50.0) for _ in range(20)) == 8
    assert not lines.take(50.9)
    assert lines.opens == pytest.approx(51.0)
    assert sum(lines.take(50.0 + tenth / 10) for tenth in range(10, 101)) == 10
    assert sum(lines.take(1000.0) for _ in range(20)) == 8


def test_the_last_of_it_may_be_more_than_is_left() -> None:
    budget = Budget(100.0, 1000)
    budget.spend(990, 5.0)
    assert budget.open(5.0)
    budget.spend(500, 5.0)
    assert not budget.open(9.8)
    assert budget.open(budget.opens), "a clock that waits for that moment does not wait once more"


@given(st.lists(st.floats(0, 5), max_size=60), st.floats(0.5, 20), st.integers(1, 30))
def test_never_more_than_the_burst_and_the_rate(
    pauses: list[float], rate: float, burst: int
) -> None:
    lines, now, taken = Budget(rate, burst), 0.0, 0
    for pause in pauses:
        now += pause
        taken += lines.take(now)
        assert taken <= burst + now * rate + 1e-6
