"""Tests of the shell scripts as text: they stop at an error, and shellcheck reports nothing."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.harness.processes.packaging_programs import ROOT

STARTED = ["run", "test", "bare", "build", "smoke", "smoke_inside", "wine", "../.ci/run"]


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


NEWER_BASH = re.compile(
    r"\b(mapfile|readarray|coproc)\b|\b(declare|local) -[An]|\[ -v|\$\{\w+(,,|\^\^|@)|&>>|;&"
)


@pytest.mark.parametrize("name", ["run", "test", "environment.sh"])
def test_the_bash_of_a_mac_knows_what_its_scripts_use(name: str) -> None:
    """It is version 3.2, of 2007; there is none here to try it with."""
    text = (ROOT / "packaging" / name).read_text(encoding="utf-8")
    assert NEWER_BASH.findall(text) == []


def test_public_ci_runs_what_windows_can() -> None:
    wine = (ROOT / "packaging" / "wine").read_text(encoding="utf-8")
    public = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    (tests,) = re.findall(r"^TESTS=\(([^)]*)\)", wine, re.MULTILINE)
    (portable,) = re.findall(r"PORTABLE_TESTS: >-\n((?: +tests/.*\n)+)", public)
    assert tests.split() == ["tests/cli", *portable.split()]
    assert "-m pytest -n 4 --dist worksteal tests/cli $PORTABLE_TESTS\n" in public
