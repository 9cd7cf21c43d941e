"""A clock that also runs while the computer sleeps; sleep itself cannot be tested here."""

from __future__ import annotations

import time

from lanuno.system.clocks import suspend_clock


def test_the_clock_runs() -> None:
    before = suspend_clock()
    time.sleep(0.02)
    assert 0.01 < suspend_clock() - before < 60
