"""Child processes that share the loaded modules: how they start, their limits, and how they ended.

The forking process must not import the program under test: every child loads it anew.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

MEMORY = 3 << 30
"""Bytes of address space: a fault may build an endless list."""
LOADING = 30.0
"""CPU seconds to load the program and to collect its tests."""
TIMED_OUT = -1


@dataclass(frozen=True)
class Child:
    """One running process."""

    process: int

    def wait(self) -> int:
        return verdict(os.waitpid(self.process, 0)[1])


def verdict(status: int) -> int:
    """Return the exit code or the code for a timeout; any other end by a signal is a failure."""
    if os.WIFEXITED(status):
        return os.WEXITSTATUS(status)
    return TIMED_OUT if os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGXCPU) else 1


def bound_time(seconds: float) -> None:
    """Limit the process, from now on, to these CPU seconds and to forty times that in real time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    bound = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (bound, resource.RLIM_INFINITY))
    signal.alarm(40 * int(seconds + 1))


def forked(run: Callable[[], int], log: Path | None = None, *, bounded: bool = False) -> Child:
    """Start a child; end a bounded one if it takes too much memory, or too long to load."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        return Child(process)
    code = 70
    try:
        _silence(log)
        if bounded:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            bound_time(LOADING)
        code = run()
    finally:
        # A child never continues the work of its parent.
        if sys.exc_info()[0] is not None:
            traceback.print_exc()
        os._exit(code)


def _silence(log: Path | None) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    out = os.open(os.devnull if log is None else log, flags, 0o644)
    os.dup2(out, 1)
    os.dup2(out, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_pytest(arguments: Sequence[str], plugins: Sequence[object]) -> int:
    """Run tests in this process up to the first failure, with fewer generated examples."""
    settings.register_profile(
        "mutation",
        derandomize=True,
        deadline=None,
        database=None,
        max_examples=40,
        # Shrinking a failing example is of no use here.
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    os.environ["HYPOTHESIS_PROFILE"] = "mutation"
    # Plain assertions: the parent has already loaded some of what pytest would rewrite.
    quiet = ("-q", "-x", "--tb=no", "--assert=plain", "--timeout=0", "-p", "no:cacheprovider")
    left_out = ("-p", "no:cov", "-p", "no:xdist")
    return int(pytest.main([*quiet, *left_out, *arguments], plugins=list(plugins)))
