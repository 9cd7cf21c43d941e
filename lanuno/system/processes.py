"""Other processes: their limits, their groups, and how they end.

On Windows, a job object limits a process (documentation of `SetInformationJobObject`).
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Final

if sys.platform == "win32":
    import _winapi
    import ctypes
    from ctypes import wintypes
else:
    import resource
    from multiprocessing import resource_tracker

# ---- how a process ends -------------------------------------------------------------------------

if sys.platform == "win32":
    KILLED: Final = 1
    OUT_OF_TIME: Final = 1816
    """ERROR_NOT_ENOUGH_QUOTA, with which also a job ends its processes."""

    def was_killed(code: int) -> bool:
        return code > 0

else:
    KILLED: Final = -signal.SIGKILL
    """The exit code of a process after `Popen.kill`."""

    OUT_OF_TIME: Final = -signal.SIGXCPU
    """The exit code of a process that used more processor time than `limit_processor` allows."""

    def was_killed(code: int) -> bool:
        """Whether this exit code is that of a process that was ended from outside, or crashed."""
        return code < 0


# ---- copies and groups ---------------------------------------------------------------------------

if sys.platform == "win32":
    _OWN_CTRL_C: Final = subprocess.CREATE_NEW_PROCESS_GROUP
    CAN_COPY: Final = False

    def copy_process() -> int:
        raise OSError("Windows copies no processes")

    def begin_group() -> None:
        pass

    def kill_group(pid: int) -> None:
        pass

else:
    _OWN_CTRL_C: Final = 0
    CAN_COPY: Final = True
    """Whether `copy_process` works."""

    def copy_process() -> int:
        """Copy this process, which must have one thread: return 0 in the copy, its id in this one.

        Raise OSError if the system cannot.
        """
        return os.fork()

    def begin_group() -> None:
        """Put this process into a group of its own, with the copies that it will make."""
        os.setpgid(0, 0)

    def kill_group(pid: int) -> None:
        """Kill all processes of a group; `pid` began it. Does nothing if they have ended."""
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)


def start_detached(
    command: Sequence[str], environment: Mapping[str, str], stdout: IO[bytes], stderr: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start a program that does not get the Ctrl-C of this terminal. Its input is a pipe."""
    return subprocess.Popen(  # noqa: S603 - the caller's own program
        command,
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=stderr,
        env=environment,
        creationflags=_OWN_CTRL_C,
        start_new_session=True,
    )


@contextlib.contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C for a process started in this context: this program ends that process."""
    if sys.platform == "win32":
        yield
    else:
        # Start Python's resource tracker now. It would otherwise start with the first process, and
        # Python 3.11 unblocks SIGINT while doing so.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- limits -------------------------------------------------------------------------------------

if sys.platform == "win32":

    class _BasicLimits(ctypes.Structure):
        """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

        _fields_ = (
            ("per_process_user_time", wintypes.LARGE_INTEGER),
            ("per_job_user_time", wintypes.LARGE_INTEGER),
            ("flags", wintypes.DWORD),
            ("minimum_working_set", ctypes.c_size_t),
            ("maximum_working_set", ctypes.c_size_t),
            ("active_processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority_class", wintypes.DWORD),
            ("scheduling_class", wintypes.DWORD),
        )

    class _Limits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

        _fields_ = (
            ("basic", _BasicLimits),
            ("io_counters", ctypes.c_ulonglong * 6),
            ("process_memory", ctypes.c_size_t),
            ("job_memory", ctypes.c_size_t),
            ("peak_process_memory", ctypes.c_size_t),
            ("peak_job_memory", ctypes.c_size_t),
        )

    _EXTENDED_LIMITS: Final = 9
    _PROCESS_MEMORY: Final = 0x100

    class _Job:
        """The job of this process; its limit holds until the process ends."""

        def __init__(self, memory: int) -> None:
            self._kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            self._kernel.CreateJobObjectW.restype = wintypes.HANDLE
            self._handle = wintypes.HANDLE(self._kernel.CreateJobObjectW(None, None))
            limits = _Limits(process_memory=memory)
            limits.basic.flags = _PROCESS_MEMORY
            self._kernel.SetInformationJobObject(
                self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
            )
            process = wintypes.HANDLE(_winapi.GetCurrentProcess())
            self._kernel.AssignProcessToJobObject(self._handle, process)

    _jobs: list[_Job] = []
    _most_seconds: list[float] = []

    def limit_memory(most: int) -> None:
        _jobs.append(_Job(most))

    def limit_processor(seconds: float) -> None:
        # Not by the job, which counts the time in user mode only.
        new = not _most_seconds
        _most_seconds[:] = [seconds]
        if new:
            threading.Thread(target=_end_out_of_time, daemon=True).start()

    def _end_out_of_time() -> None:
        while time.process_time() < _most_seconds[-1]:
            time.sleep(0.5)
        os._exit(OUT_OF_TIME)

    def spent_seconds() -> float:
        return time.process_time()

else:

    def limit_memory(most: int) -> None:
        """Limit the memory of this process and its copies, for good. It leaves no core dump.

        A dump could contain the content of a file.
        """
        _limit(resource.RLIMIT_AS, most, for_good=True)
        _limit(resource.RLIMIT_CORE, 0, for_good=True)

    def limit_processor(seconds: float) -> None:
        """Let the system kill this process after this much total processor time."""
        _limit(resource.RLIMIT_CPU, math.ceil(seconds), for_good=False)

    def _limit(limit: int, most: int, *, for_good: bool) -> None:
        """Set a resource limit, never above an existing one."""
        with contextlib.suppress(ValueError, OSError):
            _, hard = resource.getrlimit(limit)
            soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(limit, (soft, soft if for_good else hard))

    def spent_seconds() -> float:
        """Return the processor time of this process and of all copies that have ended."""
        copies = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + copies.ru_utime + copies.ru_stime
