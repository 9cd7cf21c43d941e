"""Peak memory of a host that plays a table of ten alone, compared with the promised limit.

The measured command is the one that players start, with its seat and nine bots in one process. The
peak is the high-water mark of the resident set that Linux keeps, read while the command runs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from time import sleep

from tests.bench.row import Row
from tests.harness.processes.peak_memory import KIB, mark

PROMISED = 90.0
"""The promised limit in MiB."""

REPEATS = 2
POLL = 0.01
"""Seconds between two readings. The mark never falls, so only the last moments can be missed."""

COMMAND = ("host", "--seats", "10", "--bots", "9", "--rounds", "2", "--adapter", "lo")
IDLE = "import time; time.sleep(0.2)"


def run() -> list[Row]:
    """Play two rounds of ten players; the largest peak counts."""
    with tempfile.TemporaryDirectory(prefix="lanuno-bench-") as folder:
        peaks = [
            peak_of("-m", "lanuno.cli.main", *COMMAND, "--home", f"{folder}/{number}")
            for number in range(REPEATS)
        ]
    bare = peak_of("-c", IDLE)
    runs = ", ".join(f"{peak:.1f}" for peak in peaks)
    note = f"{runs} MiB of {PROMISED:g}; Python alone {bare:.1f}"
    return [Row("peak of a headless host of 10", max(peaks) / PROMISED, 1.0, note)]


def peak_of(*arguments: str) -> float:
    """Return the peak resident set, in MiB, of Python with these arguments."""
    program = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    peak = 0
    while program.poll() is None:
        peak = mark(program.pid) or peak
        sleep(POLL)
    if program.returncode:
        raise RuntimeError(f"it ended with {program.returncode}")
    return peak / KIB
