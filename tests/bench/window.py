"""The app's first frame and memory, compared with a bare QML window, and its longest standstill.

Whole processes are measured from their start to their first frame, without a screen and with the
software renderer. The standstill is that of the app's table while ten seats deal.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from time import perf_counter

from tests.bench.children import environment
from tests.bench.row import Row
from tests.harness.processes.peak_memory import KIB, mark

REPEATS = 5
SETTLES = 2000
"""Milliseconds after the first page; the app is looking for tables by then."""

DEALS = 5

BLOCKED = 50.0
"""The longest permitted standstill of the window, in milliseconds."""

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
from lanuno.app import main, program
class Timed(program.StartupWindow):
    def wait(self):
        super().wait()
        print("frame", flush=True)
program.StartupWindow = Timed
sys.exit(program.run(["--home", sys.argv[1]]))
"""

FILLED = """
import sys
from lanuno.app import main, program
from PySide6.QtCore import QTimer
class Timed(program.StartupWindow):
    def after_frame(self, work):
        super().after_frame(lambda: self.shown(work))
    def shown(self, work):
        if settles := int(sys.argv[2]):
            # Memory counts when everything has settled.
            QTimer.singleShot(settles, self.engine, lambda: print("filled", flush=True))
        else:
            print("filled", flush=True)
        work()
program.StartupWindow = Timed
sys.exit(program.run(["--home", sys.argv[1]]))
"""

DEAL = """
import sys
from time import perf_counter, thread_time
from lanuno.app import main, program, running
from PySide6.QtCore import QTimer, Qt
class Timed(running.Running):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        # As the table opens; then, with everybody at it, while they deal.
        self.stood, self.worked, self.sat = [0.0, 0.0], [0.0, 0.0], False
        self.ticking = QTimer(self.app)
        self.ticking.setTimerType(Qt.TimerType.PreciseTimer)
        self.ticking.timeout.connect(self.tick)
        QTimer.singleShot(1000, self.app, self.begin)
    def begin(self):
        self.last = perf_counter(), thread_time()
        self.ticking.start(1)
        self.app.home_controller.practise(9)
    def tick(self):
        now = perf_counter(), thread_time()
        self.stood[self.sat] = max(self.stood[self.sat], now[0] - self.last[0])
        self.worked[self.sat] = max(self.worked[self.sat], now[1] - self.last[1])
        self.last = now
        table = self.app.table_controller
        self.sat = self.sat or table.property("opponents").rowCount() == 9
        if table.property("phase") == "playing":
            self.ticking.stop()
            print(*(each * 1000 for each in self.stood + self.worked), flush=True)
            sys.stdout.close()
running.Running = Timed
sys.exit(program.run(["--home", sys.argv[1]]))
"""


def run() -> list[Row]:
    """Measure first frame and first page in turns with a bare window; then memory and the deal."""
    codes = (BARE, APP, FILLED)
    times: dict[str, list[float]] = {code: [] for code in codes}
    for _ in range(REPEATS):
        for code in codes:
            times[code].append(first_line(code, "0")[0])
    took = {code: statistics.median(found) for code, found in times.items()}
    bare, settled = first_line(BARE)[1], first_line(FILLED, str(SETTLES))[1]
    deals = [[float(each) for each in first_line(DEAL)[2].split()] for _ in range(DEALS)]
    opened, stood, opening, worked = (statistics.median(each) for each in zip(*deals, strict=True))
    return [
        Row("first frame of the app", took[APP] / took[BARE], 2.0, _ms(took[APP], took[BARE])),
        Row("first page of the app", took[FILLED] / took[BARE], 3.5, _ms(took[FILLED], took[BARE])),
        Row(
            "memory of the app",
            settled / bare,
            2.0,
            f"{settled:.0f} MiB, a bare window {bare:.0f} MiB",
        ),
        Row(
            "longest standstill as a table opens",
            opened / BLOCKED,
            None,
            f"{opened:.0f} ms, {opening:.0f} ms of it work, from the click on",
        ),
        Row(
            "longest standstill while 10 seats deal",
            stood / BLOCKED,
            1.0,
            f"{stood:.0f} ms of {BLOCKED:g}, {worked:.0f} ms of it work, until the first turn",
        ),
    ]


def _ms(took: float, bare: float) -> str:
    return f"{took * 1e3:.0f} ms, a bare window {bare * 1e3:.0f} ms"


def first_line(code: str, *arguments: str) -> tuple[float, float, str]:
    """Run code until it prints a line; return seconds, peak memory in MiB, and the line."""
    with tempfile.TemporaryDirectory(prefix="lanuno-bench-") as home:
        begun = perf_counter()
        program = subprocess.Popen(
            [sys.executable, "-c", code, home, *arguments],
            env=environment(QT_QPA_PLATFORM="offscreen", QT_QUICK_BACKEND="software"),
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
