"""Runs Python's cyclic garbage collector on the GUI thread only.

A collection on another thread may destroy QObjects there and crash the program. One that begins
while a QObject is destroyed may destroy another, and wait for ever for the lock that the first one
holds. So automatic collection is switched off for good, and a timer of the GUI thread collects
instead. Nothing else belongs here.
"""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS: Final = 250
"""Milliseconds between two checks."""


class Collector(QObject):
    """Collects garbage on the thread that created it, while it lives. Create it at the start."""

    def __init__(self) -> None:
        """Switch automatic collection off."""
        super().__init__()
        gc.disable()
        if not gc.get_freeze_count():
            gc.freeze()  # what is loaded by now stays: scanning it again would waste time
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(INTERVAL_MS)

    def collect(self) -> None:
        """Collect the oldest generation that is due, as the automatic collection would."""
        counts, limits = gc.get_count(), gc.get_threshold()
        for generation in (2, 1, 0):
            if counts[generation] > limits[generation] > 0:
                gc.collect(generation)
                return

    def close(self) -> None:
        """Stop collecting. Automatic collection stays off, for QObjects are destroyed next."""
        self._timer.stop()
