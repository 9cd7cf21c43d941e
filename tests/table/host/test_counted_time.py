"""The counted time: what it leaves out, and that it never runs backwards."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from lanuno.table.host.counted_time import READING_SECONDS, CountedTime


def test_it_runs_like_the_steady_clock_at_first() -> None:
    time = CountedTime()
    assert (time.at(5.0), time.when(7.0), time.stopped) == (5.0, 7.0, False)


def test_it_stands_and_goes_on() -> None:
    time = CountedTime()
    assert not time.resume(5.0)
    time.pause(10.0)
    time.pause(11.0)
    assert (time.at(60.0), time.when(12.0), time.stopped) == (10.0, inf, True)
    assert time.resume(76.0)
    assert (time.at(76.0), time.at(78.0), time.when(12.0)) == (10.0, 12.0, 78.0)


def test_a_pause_is_left_out_and_what_came_meanwhile_is_read() -> None:
    time = CountedTime()
    time.skip(50.0, 60.0)
    assert time.at(60.0) == time.at(60.0 + READING_SECONDS) == 10.0
    assert time.when(11.0) == 61.0 + READING_SECONDS
    assert time.at(61.0 + READING_SECONDS) == 11.0


def test_a_pause_while_it_stands_changes_nothing() -> None:
    time = CountedTime()
    time.pause(10.0)
    time.skip(50.0, 60.0)
    time.resume(70.0)
    assert time.at(71.0) == 11.0


@pytest.mark.parametrize("seed", range(20))
def test_it_never_goes_back_nor_runs_faster(seed: int) -> None:
    """For random events; it also predicts when a moment is reached if nothing else happens."""
    chance, time, now = Random(seed), CountedTime(), 0.0
    for _ in range(200):
        before, then = time.at(now), now
        now += chance.uniform(0.0, 9.0)
        what = chance.randrange(5)
        if what == 0:
            time.pause(now)
        elif what == 1:
            time.resume(now)
        elif what == 2:
            time.skip(now - then, now)
        assert before <= time.at(now) <= before + (now - then) + 1e-9
        moment = time.at(now) + chance.uniform(0.1, 5.0)
        if not time.stopped:
            assert time.at(time.when(moment)) >= moment
            assert time.at(time.when(moment)) == pytest.approx(moment)
