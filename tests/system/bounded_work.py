"""Good and bad work for a bounded process, in a module that such a process can import."""

from __future__ import annotations

import os
import signal
import sys
import time

import psutil

from lanuno.system.bounded_process import ReportProgress
from lanuno.system.processes import limit_processor


def double(tell: ReportProgress, number: int) -> int:
    for step in range(3):
        tell(step)
        time.sleep(0.06)
    return 2 * number


def process(tell: ReportProgress) -> int:
    del tell
    return os.getpid()


def blocks_interrupts(tell: ReportProgress) -> bool:
    """Whether this process was started with Ctrl+C blocked."""
    del tell
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def endless(tell: ReportProgress) -> None:
    tell("began")
    while True:
        tell("on")


def endless_unseen(tell: ReportProgress) -> None:
    """Loop without checking the time, so that only the system can end it."""
    del tell
    limit_processor(time.process_time() + 1)
    while True:
        pass


def greedy(tell: ReportProgress) -> int:
    del tell
    return len(bytearray(1 << 30))


def crowded(tell: ReportProgress) -> None:
    """Allocate small pieces until no memory is left."""
    del tell
    kept = []
    while True:
        kept.append(bytearray(1 << 12))


def deep(tell: ReportProgress) -> None:
    deep(tell)


def mistaken(tell: ReportProgress) -> None:
    del tell
    sys.stdout.write("said\n")
    sys.stderr.write("said\n")
    raise ValueError("a mistake")


def killed(tell: ReportProgress) -> None:
    del tell
    psutil.Process().kill()


def interrupted(tell: ReportProgress) -> str:
    """Interrupt this process as Ctrl+C in a terminal does, which reaches child processes, too."""
    del tell
    signal.raise_signal(signal.SIGINT)
    return "went on"
