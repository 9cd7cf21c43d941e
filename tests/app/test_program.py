"""Tests of the start of the window: what is printed, and returned, where it cannot be opened."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lanuno.app import program
from lanuno.app.instance import Instance
from lanuno.store.paths import Home


def start(home: Home, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Start the window in a process of its own: a process has only one `QGuiApplication`."""
    script = "import sys; from lanuno.app.program import run; sys.exit(run(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", script, "--home", str(home.data), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("language", "says"), [("en", "already exists and is not overwritten"), ("es", "ya existe")]
)
def test_a_trace_overwrites_nothing(home: Home, tmp_path: Path, language: str, says: str) -> None:
    there = tmp_path / "a.trace"
    there.write_bytes(b"precious")
    ended = start(home, "--lang", language, "--trace", str(there))
    assert (ended.returncode, ended.stdout) == (program.FILES, "")
    assert says in ended.stderr
    assert there.read_bytes() == b"precious"


def test_a_trace_in_a_folder_that_is_not_there(home: Home, tmp_path: Path) -> None:
    ended = start(home, "--lang", "en", "--trace", str(tmp_path / "none" / "a.trace"))
    assert (ended.returncode, ended.stdout) == (program.FILES, "")
    assert str(tmp_path / "none") in ended.stderr


def test_an_open_window_does_not_begin_a_trace(home: Home, tmp_path: Path) -> None:
    home.create()
    first = Instance(home)
    assert first.claim()
    ended = start(home, "--lang", "en", "--trace", str(tmp_path / "a.trace"))
    assert (ended.returncode, ended.stdout) == (program.FILES, "")
    assert "Another LanUNO process is using this profile. Close it first." in ended.stderr
    assert not (tmp_path / "a.trace").exists()
    first.close()


def test_a_broken_installation_is_a_fault_of_the_program(home: Home, tmp_path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from lanuno.app import program
from lanuno.store.errors import FileProblem, StoreError
def broken(home):
    raise StoreError(FileProblem.MISSING_RESOURCES, Path("qml"))
program.StartupWindow = broken
sys.exit(program.run(["--home", {str(home.data)!r}, "--lang", "es"]))
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120
    )
    assert (ended.returncode, ended.stdout) == (program.FAILED, "")
    assert "qml" in ended.stderr
    assert "Traceback" not in ended.stderr
