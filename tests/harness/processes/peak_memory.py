"""The largest amount of memory that a process has used, as Linux counts it."""

from __future__ import annotations

from pathlib import Path

KIB = 1024


def mark(process: int) -> int | None:
    """Return VmHWM of /proc/PID/status in KiB; None once the process has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) if lines else None
