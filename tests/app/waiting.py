"""How tests of the app wait: they let Qt work until something is true."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

PATIENCE = 20.0


def until(true: Callable[[], object], patience: float = PATIENCE) -> None:
    """Let Qt work until this is true; an assertion if it takes too long."""
    end = time.monotonic() + patience
    loop = QEventLoop()
    ticking = QTimer()
    ticking.timeout.connect(loop.quit)
    ticking.start(5)
    while not true():
        assert time.monotonic() < end, "waited in vain"
        loop.exec()
    ticking.stop()


def settle() -> None:
    """Let Qt do what waits now."""
    for _ in range(3):
        QCoreApplication.processEvents()
