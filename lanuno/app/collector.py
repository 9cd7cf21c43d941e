"""Where Python's cyclic garbage collector may run: on the GUI thread alone.

A collection on another thread may destroy QObjects there and crash. So the automatic one is
switched off, and a timer of the GUI thread does the same work. Nothing else belongs here.
"""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS: Final = 250
"""Milliseconds between two looks."""


class Collector(QObject):
    """Collects on the thread that made it, for as long as it lives. Make one at the start."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Switch the automatic collection off."""
        super().__init__(parent)
        self._was_on = gc.isenabled()
        gc.disable()
        # What was loaded by now stays: looking at it again and again would take its time.
        gc.freeze()
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
        """Let Python collect by itself again."""
        self._timer.stop()
        gc.unfreeze()
        if self._was_on:
            gc.enable()
