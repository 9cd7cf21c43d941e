"""The token bucket of one sender, with a simulated clock."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lanuno.net.transport.rate import TokenBucket


def test_a_burst_and_then_the_rate() -> None:
    bucket = TokenBucket(20.0, 60, now=100.0)
    assert [bucket.take(100.0) for _ in range(61)] == [True] * 60 + [False]
    assert bucket.take(100.0625)
    assert not bucket.take(100.0625)
    assert [bucket.take(101.0625) for _ in range(21)] == [True] * 20 + [False]


def test_no_more_than_a_burst_is_saved() -> None:
    bucket = TokenBucket(20.0, 60, now=0.0)
    assert sum(bucket.take(1_000_000.0) for _ in range(100)) == 60


def test_a_clock_that_goes_back_gives_nothing() -> None:
    bucket = TokenBucket(8.0, 1, now=5.0)
    assert bucket.take(5.0)
    assert not bucket.take(1.0)
    assert not bucket.take(5.0)
    assert bucket.take(5.125)


@given(st.lists(st.floats(0, 3), max_size=200))
def test_never_more_than_rate_and_burst(pauses: list[float]) -> None:
    bucket, now, taken = TokenBucket(20.0, 60, now=0.0), 0.0, 0
    for pause in pauses:
        now += pause
        taken += bucket.take(now)
    assert taken <= 60 + 20 * now + 1e-6
