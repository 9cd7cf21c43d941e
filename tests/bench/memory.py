"""Peak memory of a host that plays a table of ten alone, and how it grows with the log.

A node keeps its log in memory, so a long match takes more: the second row compares a long table of
four with a short one. The measured command is the one that players start, with its seat and bots in
one process. The peak is the high-water mark of the resident set that Linux keeps, read while the
command runs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from time import sleep

from tests.bench.children import environment
from tests.bench.row import Row
from tests.harness.processes.peak_memory import KIB, mark

PROMISED = 90.0
"""The promised limit in MiB."""

REPEATS = 2
POLL = 0.01
"""Seconds between two readings. The mark never falls, so only the last moments can be missed."""

COMMAND = ("host", "--seats", "10", "--bots", "9", "--rounds", "2", "--adapter", "lo")
LONG = ("host", "--seats", "4", "--bots", "3", "--adapter", "lo", "--rounds")
SHORT_ROUNDS, LONG_ROUNDS = 10, 60
GROWTH = 8.0
"""The largest growth of the peak in bytes, for each byte of the log. The host keeps the log, and
what its four seats have signed; in the end the command reads the file again and audits it."""
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
    return [Row("peak of a headless host of 10", max(peaks) / PROMISED, 1.0, note), growth()]


def growth() -> Row:
    """Compare the peaks of a short and a long table, and the sizes of their logs."""
    peaks, sizes = [], []
    for rounds in (SHORT_ROUNDS, LONG_ROUNDS):
        with tempfile.TemporaryDirectory(prefix="lanuno-bench-") as folder:
            peaks.append(peak_of("-m", "lanuno.cli.main", *LONG, str(rounds), "--home", folder))
            sizes.append(sum(each.stat().st_size for each in Path(folder).rglob("*.lanuno")))
    more, log = peaks[1] - peaks[0], (sizes[1] - sizes[0]) / KIB**2
    note = f"{more:.1f} MiB for {log:.1f} MiB of log, from {SHORT_ROUNDS} to {LONG_ROUNDS} rounds"
    return Row("growth of a host for a byte of its log", more / log, GROWTH, note)


def peak_of(*arguments: str) -> float:
    """Return the peak resident set, in MiB, of Python with these arguments."""
    program = subprocess.Popen(
        [sys.executable, *arguments],
        env=environment(),
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
