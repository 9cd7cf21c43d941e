"""What macOS asks a running program to open. The events are Qt's; who sends them is untested."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QFileOpenEvent
from lanuno.app.open_requests import OpeningApplication
qt = OpeningApplication(["lanuno"])
def ask(what):
    QCoreApplication.sendEvent(qt, QFileOpenEvent(what))
ask("/games/a.lanuno")
qt.commanded.connect(lambda command: print(*command))
print("connected")
qt.answer()
ask(QUrl("lanuno://192.0.2.1:7/x"))
ask(QUrl.fromLocalFile("/games/b.lanuno"))
"""


def test_requests_are_commands_and_the_first_ones_wait() -> None:
    """In a process of its own, because a process has only one application of Qt."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.splitlines(), done.stderr) == (
        [
            "connected",
            "open /games/a.lanuno",
            "join lanuno://192.0.2.1:7/x",
            "open /games/b.lanuno",
        ],
        "",
    )
