"""Runs a module of this package on a network of its own, or says why that is not allowed here.

Needs the right to make namespaces (root, or user namespaces for everybody) and the programs of
`TOOLS`; `packaging/test` installs them. Nothing outside the namespaces is touched, and they vanish
with the process that made them.
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

ROOT: Final = Path(__file__).resolve().parents[2]
TOOLS: Final = (
    *("unshare", "ip", "nft", "stdbuf"),
    *("dbus-daemon", "avahi-daemon", "avahi-browse"),
)


def box(*command: str) -> tuple[str, ...]:
    """The command that runs a command in namespaces of its own."""
    as_root = () if os.geteuid() == 0 else ("--map-root-user",)
    flags = ("--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
    return ("unshare", *as_root, *flags, *command)


@cache
def why_not() -> str:
    """Why there can be no network of our own here; empty if there can be one."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if shutil.which("unshare") is None:
        return ""  # what is missing is an error, and told below
    tried = subprocess.run(box("true"), capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return ""
    return f"only root may make network namespaces here ({tried.stderr.strip()})"


def play(module: str, name: str) -> None:
    """Play one story; fails with what it said if it does not end well."""
    if reason := why_not():
        # The one thing that a test cannot bring about; the summary of the run names it.
        pytest.skip(f"not played on a network of its own: {reason}")
    missing = [each for each in TOOLS if shutil.which(each) is None]
    assert not missing, (
        f"no {missing}: apt-get install avahi-daemon avahi-utils dbus iproute2 nftables"
    )
    done = run(module, name)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def run(module: str, name: str) -> subprocess.CompletedProcess[str]:
    """Play one story, with warnings as errors."""
    return subprocess.run(
        box(sys.executable, "-W", "error", "-m", f"tests.lan.{module}", name),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
