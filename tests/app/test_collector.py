"""Tests of the garbage collector: it runs on the GUI thread only."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from pathlib import Path

from lanuno.app.collector import Collector

ROOT = Path(__file__).resolve().parents[2]


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
    assert not gc.isenabled()


DESTROYED = """
import gc
from PySide6.QtCore import QCoreApplication, QObject, Signal
from lanuno.app.collector import Collector

class Object(QObject):
    signal = Signal()

    def slot(self):
        pass

qt = QCoreApplication([])
end = Object()
Collector().close()
for number in range(60):
    sender, receiver = Object(), Object()
    sender.signal.connect(receiver.slot)
    for _ in range(400):
        garbage = Object()
        garbage.signal.connect(end.slot)
        garbage.itself = garbage
    # An automatic collection would be due within the destructor.
    gc.set_threshold(gc.get_count()[0] - 3 + number % 8)
    del receiver
    gc.set_threshold(0)
    del sender
    gc.collect()
"""


def test_no_collection_begins_while_an_object_is_destroyed() -> None:
    """Otherwise Qt waits for ever for a lock that it holds: an app would hang as it ends."""
    subprocess.run([sys.executable, "-c", DESTROYED], check=True, cwd=ROOT, timeout=60)
