"""Tests of the shell scripts as text: they stop at an error, and shellcheck reports nothing."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.harness.processes.packaging_programs import ROOT

STARTED = ["run", "test", "bare", "build", "smoke", "smoke_inside", "../.ci/run"]


@pytest.mark.parametrize("name", STARTED)
def test_a_script_can_be_run_and_stops_at_an_error(name: str) -> None:
    path = ROOT / "packaging" / name
    assert path.stat().st_mode & 0o111 == 0o111
    assert "\nset -euo pipefail\n" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*STARTED, "environment.sh"])
def test_shellcheck_finds_nothing(name: str) -> None:
    program = shutil.which("shellcheck")
    assert program is not None, "shellcheck is missing: apt-get install shellcheck"
    done = subprocess.run(
        [program, "--external-sources", "--source-path=SCRIPTDIR", name],
        cwd=ROOT / "packaging",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
