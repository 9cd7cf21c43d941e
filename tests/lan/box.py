"""Run a module of this package on an isolated network, or report why that is not possible here.

This needs the right to create namespaces (root, or unprivileged user namespaces) and the programs
in `TOOLS`, which `packaging/test` installs. Nothing outside the namespaces is touched. They vanish
with the process that created them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.harness.processes.programs import WARNINGS

ROOT: Final = Path(__file__).resolve().parents[2]
TOOLS: Final = (
    *("unshare", "ip", "nft", "stdbuf"),
    *("dbus-daemon", "avahi-daemon", "avahi-browse"),
)


def box(*command: str) -> tuple[str, ...]:
    """Return the command line that runs a command in new namespaces."""
    as_root = () if os.geteuid() == 0 else ("--map-root-user",)
    flags = ("--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
    return ("unshare", *as_root, *flags, *command)


@cache
def why_not() -> str:
    """Return why an isolated network is impossible here; empty if it is possible."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if shutil.which("unshare") is None:
        return ""  # a missing tool is an error, which `play` reports
    tried = subprocess.run(box("true"), capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return ""
    return f"only root may make network namespaces here ({tried.stderr.strip()})"


def play(module: str, name: str) -> None:
    """Run one scenario; fail with its output if it fails."""
    if reason := why_not():
        # A test cannot obtain this right itself. The summary of the run names the skipped test.
        pytest.skip(f"not played on a network of its own: {reason}")
    missing = [each for each in TOOLS if shutil.which(each) is None]
    assert not missing, (
        f"no {missing}: apt-get install avahi-daemon avahi-utils dbus iproute2 nftables"
    )
    done = run(module, name)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def run(module: str, name: str) -> subprocess.CompletedProcess[str]:
    """Run one scenario, with warnings as errors."""
    return subprocess.run(
        box(sys.executable, "-m", module, name),
        cwd=ROOT,
        env={**os.environ, "PYTHONWARNINGS": WARNINGS},
        capture_output=True,
        text=True,
        check=False,
    )
