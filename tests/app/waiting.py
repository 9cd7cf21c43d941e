"""Helpers that let Qt process events until a condition holds. No test here."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import SIGNAL, QCoreApplication, QEventLoop, QObject, QTimer
from PySide6.QtQuick import QQuickWindow

WAIT_SECONDS = 20.0


def until(true: Callable[[], object], patience: float = WAIT_SECONDS) -> None:
    """Let Qt process events until this is true; fail after `patience` seconds."""
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
    """Let Qt process the pending events."""
    for _ in range(3):
        QCoreApplication.processEvents()


def drawn(window: QQuickWindow) -> None:
    """Wait for one more frame, because layouts place their items only just before a frame."""
    loop = QEventLoop()
    late = QTimer()
    late.setSingleShot(True)
    late.timeout.connect(loop.quit)
    QObject.connect(window, SIGNAL("frameSwapped()"), loop.quit)
    window.update()
    late.start(round(WAIT_SECONDS * 1000))
    loop.exec()
    assert late.isActive(), "nothing is drawn"
