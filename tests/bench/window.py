"""The app's first frame and memory beside a bare QML window; how long its window ever stands still.

Here: whole processes, without a screen and with the software renderer, from their start to their
first frame; the app's table while ten seats deal.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from time import perf_counter

from tests.bench.memory import KIB, mark
from tests.bench.row import Row

REPEATS = 5
BLOCKED = 50.0
"""Milliseconds for which the window may stand still at most."""

BARE = """
import sys
from PySide6.QtGui import QGuiApplication
from PySide6.QtQml import QQmlApplicationEngine
qt = QGuiApplication([])
engine = QQmlApplicationEngine()
engine.loadData(b'import QtQuick\\nWindow { visible: true; width: 1180; height: 760 }')
window = engine.rootObjects()[0]
def shown():
    window.frameSwapped.disconnect(shown)
    print("frame", flush=True)
window.frameSwapped.connect(shown)
qt.exec()
"""

APP = """
import sys
from lanuno.app import main
class Timed(main.Running):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self.window.frameSwapped.connect(self.shown)
    def shown(self):
        self.window.frameSwapped.disconnect(self.shown)
        print("frame", flush=True)
main.Running = Timed
sys.exit(main.main(["--home", sys.argv[1]]))
"""

DEAL = """
import sys
from time import perf_counter
from PySide6.QtCore import QTimer, QCoreApplication, Qt
from lanuno.app import main
class Timed(main.Running):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self.longest, self.last, self.dealt = 0.0, None, False
        self.ticking = QTimer(self.app)
        self.ticking.setTimerType(Qt.TimerType.PreciseTimer)
        self.ticking.timeout.connect(self.tick)
        QTimer.singleShot(500, self.app, self.begin)
    def begin(self):
        self.app.first.practise(9)
        self.last = perf_counter()
        self.ticking.start(1)
    def tick(self):
        now = perf_counter()
        self.longest, self.last = max(self.longest, now - self.last), now
        if self.app.room_screen.property("canStart"):
            self.app.room_screen.begin()
        if self.app.table_screen.property("phase") == "playing":
            self.ticking.stop()
            print(self.longest * 1000, flush=True)
            sys.stdout.close()
main.Running = Timed
sys.exit(main.main(["--home", sys.argv[1]]))
"""


def run() -> list[Row]:
    """First frame and memory, in turns; then the deal."""
    times: dict[str, list[float]] = {BARE: [], APP: []}
    peaks: dict[str, list[float]] = {BARE: [], APP: []}
    for _ in range(REPEATS):
        for code in (BARE, APP):
            seconds, peak, _ = first_line(code)
            times[code].append(seconds)
            peaks[code].append(peak)
    frame = {code: statistics.median(found) for code, found in times.items()}
    memory = {code: max(found) for code, found in peaks.items()}
    still = max(float(first_line(DEAL)[2]) for _ in range(2))
    return [
        Row(
            "first frame of the app",
            frame[APP] / frame[BARE],
            2.0,
            f"{frame[APP] * 1e3:.0f} ms, a bare window {frame[BARE] * 1e3:.0f} ms",
        ),
        Row(
            "memory of the app",
            memory[APP] / memory[BARE],
            1.6,
            f"{memory[APP]:.0f} MiB, a bare window {memory[BARE]:.0f} MiB",
        ),
        Row(
            "longest standstill while 10 seats deal",
            still / BLOCKED,
            1.0,
            f"{still:.0f} ms of {BLOCKED:g}",
        ),
    ]


def first_line(code: str) -> tuple[float, float, str]:
    """Run this until it says a line: seconds, peak of its memory in MiB, and the line."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_QUICK_BACKEND": "software",
    }
    with tempfile.TemporaryDirectory(prefix="lanuno-bench-") as home:
        begun = perf_counter()
        program = subprocess.Popen(
            [sys.executable, "-c", code, home],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert program.stdout is not None
        with program.stdout:
            line = program.stdout.readline()
        seconds = perf_counter() - begun
        peak = mark(program.pid)
        program.kill()
        program.wait()
    if not line or peak is None:
        raise RuntimeError("the window did not come")
    return seconds, peak / KIB, line
