"""Rate limits: each person has a burst, then a rate."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.table.budget import Budget

ANA, EVE = "ana", "eve"


def test_a_budget_has_a_burst_and_then_a_rate() -> None:
    lines = Budget[str](1.0, 8)
    assert sum(lines.take(ANA, 50.0) for _ in range(20)) == 8
    assert not lines.take(ANA, 50.9)
    assert lines.opens(ANA) == pytest.approx(51.0, abs=0.01)
    assert sum(lines.take(ANA, 50.0 + tenth / 10) for tenth in range(10, 101)) == 10
    assert sum(lines.take(ANA, 1000.0) for _ in range(20)) == 8


def test_the_last_of_it_may_be_more_than_is_left() -> None:
    budget = Budget[str](100.0, 1000)
    budget.spend(ANA, 990, 5.0)
    assert budget.open(ANA, 5.0)
    budget.spend(ANA, 500, 5.0)
    assert not budget.open(ANA, 9.8)
    assert budget.open(ANA, budget.opens(ANA)), "a clock that waits for it does not wait once more"


def test_a_clock_that_goes_back_gives_nothing() -> None:
    budget = Budget[str](8.0, 1)
    assert budget.take(ANA, 5.0)
    assert not budget.take(ANA, 1.0)
    assert not budget.take(ANA, 5.0)
    assert budget.take(ANA, 5.125)


def test_one_person_does_not_use_up_the_budget_of_another() -> None:
    lines = Budget[str](1.0, 8)
    assert sum(lines.take(EVE, 0.0) for _ in range(20)) == 8
    assert sum(lines.take(ANA, 0.0) for _ in range(20)) == 8


def test_no_number_of_new_keys_renews_a_budget() -> None:
    lines = Budget[str | int](1.0, 8, most=16)
    assert sum(lines.take(EVE, 0.0) for _ in range(20)) == 8
    assert lines.take(ANA, 0.0)
    taken = sum(lines.take(number, 0.0) for number in range(10_000) for _ in range(9))
    assert taken == (16 - 2) * 8 + 8, "14 keys have a budget, and all others share one"
    assert not lines.take(EVE, 0.0)
    assert sum(lines.take(ANA, 0.0) for _ in range(20)) == 7


def test_people_whose_burst_is_whole_again_make_room() -> None:
    lines = Budget[str | int](1.0, 8, most=16)
    assert all(lines.take(number, 0.0) for number in range(16))
    assert sum(lines.take(16, 0.0) for _ in range(20)) == 8, "beyond the limit"
    assert sum(lines.take(ANA, 1.0) for _ in range(20)) == 8
    assert sum(lines.take(EVE, 1.0) for _ in range(20)) == 8


@given(
    st.lists(st.tuples(st.floats(0, 5), st.integers(0, 6)), max_size=80),
    st.floats(0.5, 20),
    st.integers(1, 30),
)
def test_never_more_than_the_burst_and_the_rate(
    uses: list[tuple[float, int]], rate: float, burst: int
) -> None:
    """For each of the remembered people, and for all others together."""
    lines, now, taken = Budget[int](rate, burst, most=3), 0.0, Counter[int]()
    for pause, who in uses:
        now += pause
        taken[who] += lines.take(who, now)
        assert sum(taken.values()) <= (3 + 1) * (burst + 0.001 + now * rate) + 1e-6
        assert len(lines._paid) <= 3
