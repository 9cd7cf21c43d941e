"""Tests of how the portable archive starts: what it runs, and the environment of its children."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from distribution import frozen

from tests.harness.processes.packaging_programs import PACKAGING, ROOT


@pytest.mark.parametrize(
    ("arguments", "module"),
    [
        (["-m", "lanuno.cli.child_main", "host"], "lanuno.cli.child_main"),
        (["-m", "lanuno.app.desktop"], "lanuno.app.desktop"),
        (["-m", "os"], None),
        (["-m", "lanuno.cli.main"], None),
        (["-m"], None),
        (["demo", "-m", "lanuno.app.desktop"], None),
        ([], None),
    ],
)
def test_only_modules_meant_to_be_run_are_run(arguments: list[str], module: str | None) -> None:
    assert frozen.module_of(arguments) == module


def test_every_module_that_the_program_starts_can_be_started() -> None:
    started: set[str] = set()
    for path in (ROOT / "lanuno").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        started.update(re.findall(r'"-m",\s*"(lanuno[\w.]*)"', text))
    # This module replaces the command `lanuno` where it is missing; the archive has the command.
    assert started - {"lanuno.cli.main"} <= set(frozen.MODULES)
    assert "lanuno.cli.child_main" in started


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"LD_LIBRARY_PATH": "/archive"}, {}),
        (
            {"LD_LIBRARY_PATH": "/archive:/own", "LD_LIBRARY_PATH_ORIG": "/own"},
            {"LD_LIBRARY_PATH": "/own"},
        ),
        ({"LD_LIBRARY_PATH": "/archive", "LD_LIBRARY_PATH_ORIG": ""}, {}),
        ({"HOME": "/x"}, {"HOME": "/x"}),
    ],
)
def test_other_programs_get_the_libraries_of_the_system(
    before: dict[str, str], after: dict[str, str]
) -> None:
    frozen.prepare_children(before)
    # Only LanUNO's own bootloader reads this variable, and removes it.
    assert before.pop("PYINSTALLER_RESET_ENVIRONMENT") == "1"
    assert before == after


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PACKAGING / "distribution" / "frozen.py"), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_line_and_a_module_are_run() -> None:
    assert start("--version").stdout.startswith("LanUNO ")
    assert "python -m lanuno.app.desktop" in start("-m", "lanuno.app.desktop", "--help").stdout
    refused = start("-m", "this")
    assert refused.returncode == 2
    assert "Zen" not in refused.stdout
