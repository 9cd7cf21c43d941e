"""Plays each scenario on a network of its own.

Needs the right to make namespaces (root, or unprivileged user namespaces) and the programs of
`TOOLS`; `packaging/test` installs them. Nothing outside the namespaces is touched, and they vanish
with the process that made them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lan.scenarios import SCENARIOS

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("unshare", "ip", "stdbuf", "dbus-daemon", "avahi-daemon", "avahi-browse")


@pytest.mark.parametrize("name", SCENARIOS)
def test_on_a_network(name: str) -> None:
    missing = [each for each in TOOLS if shutil.which(each) is None]
    assert not missing, f"install avahi-daemon avahi-utils dbus iproute2: no {missing}"
    as_root = () if os.geteuid() == 0 else ("--map-root-user",)
    done = subprocess.run(
        [
            *("unshare", *as_root, "--net", "--mount", "--pid", "--fork"),
            *("--kill-child", "--mount-proc"),
            *(sys.executable, "-W", "error", "-m", "tests.lan.scenarios", name),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
