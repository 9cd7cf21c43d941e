"""Tests of the garbage collector: it runs on the GUI thread only."""

from __future__ import annotations

import gc
import threading

from lanuno.app.collector import Collector


def test_garbage_is_collected_only_on_the_calling_thread() -> None:
    assert gc.isenabled()
    collector = Collector()
    assert not gc.isenabled()
    threads: list[int] = []

    def seen(phase: str, _info: dict[str, int]) -> None:
        threads.append(threading.get_ident())

    gc.callbacks.append(seen)
    try:
        rings = []
        for _ in range(5000):
            ring: list[object] = []
            ring.append(ring)
            rings.append(ring)
        assert threads == []
        collector.collect()
        assert threads == [threading.get_ident()] * 2
        rings.clear()
    finally:
        gc.callbacks.remove(seen)
        collector.close()
    assert gc.isenabled()


def test_what_was_frozen_before_stays_frozen() -> None:
    """Otherwise the whole suite would be scanned in the collections after an app's tests."""
    assert gc.get_freeze_count()
    Collector().close()
    assert gc.get_freeze_count()
