"""Fixtures for the tests that run programs."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.replaced_command import Run
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.processes.programs import WorkingFolder, working_folder


@pytest.fixture
def table(tmp_path: Path) -> Iterator[WorkingFolder]:
    """A working folder for the programs of one table."""
    folder = tmp_path / "homes"
    folder.mkdir()
    with working_folder(folder) as here:
        yield here


@pytest.fixture(scope="module")
def played() -> LogTable:
    """A closed log of two players and one round of play, shared, so it must not be changed."""
    return new_table(2).run()


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the folders and the language of the user who runs the tests out of the commands."""
    for name in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", str(tmp_path / "xdg"))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def good(played: LogTable, tmp_path: Path) -> Path:
    """The file of `played`."""
    path = tmp_path / "good.lanuno"
    path.write_bytes(played.file)
    return path


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[Run], None]:
    """Replace `lanuno find` by a function."""

    def put(run: Run) -> None:
        fake = types.ModuleType("lanuno.cli.find")
        vars(fake).update(add=lambda parser, text: None, run=run)
        monkeypatch.setitem(sys.modules, "lanuno.cli.find", fake)

    return put


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "win32":
        pytest.skip("not on Windows: it always has a display")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The arguments of every window that a command opens, in place of a window."""
    opened: list[list[str]] = []

    def open_window(arguments: list[str]) -> int:
        opened.append(arguments)
        return 0

    fake = types.ModuleType("lanuno.app.main")
    vars(fake).update(main=open_window)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setitem(sys.modules, "lanuno.app.main", fake)
    return opened
