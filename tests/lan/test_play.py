"""Plays each game of `playing.py` on a network of its own; `test_lan.py` says what that needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lan.playing import GAMES

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("unshare", "ip", "stdbuf")


@pytest.mark.parametrize("name", GAMES)
def test_two_computers_play(name: str) -> None:
    missing = [each for each in TOOLS if shutil.which(each) is None]
    assert not missing, f"install iproute2: no {missing}"
    as_root = () if os.geteuid() == 0 else ("--map-root-user",)
    done = subprocess.run(
        [
            *("unshare", *as_root, "--net", "--mount", "--pid", "--fork"),
            *("--kill-child", "--mount-proc"),
            *(sys.executable, "-W", "error", "-m", "tests.lan.playing", name),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
