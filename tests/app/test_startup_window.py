"""Tests of the empty window that appears before everything else is loaded."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from PySide6.QtGui import QGuiApplication, QWindow

from lanuno.app.running import Running
from lanuno.app.startup_window import StartupWindow
from lanuno.store.app_state import AppState, WindowPlace, save_app_state
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.settings import Settings, save_settings


@pytest.fixture
def start(qt: QGuiApplication, home: Home) -> Iterator[Callable[[], StartupWindow]]:
    """Return a function that shows the window of this player; close all of them at the end."""
    shown: list[StartupWindow] = []

    def show() -> StartupWindow:
        shown.append(StartupWindow(home))
        return shown[-1]

    yield show
    for each in shown:
        each.close()


@pytest.mark.parametrize(("theme", "dark"), [("dark", True), ("light", False)])
def test_the_window_has_the_colours_of_the_chosen_theme(
    start: Callable[[], StartupWindow], home: Home, theme: Literal["dark", "light"], dark: bool
) -> None:
    home.create()
    save_settings(home, Settings(theme=theme))
    assert start().window.property("dark") is dark


def test_the_window_opens_in_its_last_place(start: Callable[[], StartupWindow], home: Home) -> None:
    home.create()
    place = WindowPlace(x=0, y=0, width=900, height=650, maximized=True)
    save_app_state(home, AppState(window=place))
    window = start().window
    assert window.isVisible()
    assert window.visibility() is QWindow.Visibility.Maximized


def test_a_new_player_gets_a_visible_window(start: Callable[[], StartupWindow]) -> None:
    shown = start()
    assert shown.window.visibility() is QWindow.Visibility.Windowed
    shown.wait()
    assert shown.window.isExposed()
    # The pages are loaded later: at first the window is empty.
    assert not shown.window.property("filled")


def test_damaged_files_do_not_prevent_the_window(
    start: Callable[[], StartupWindow], home: Home
) -> None:
    """They stay where they are, because `Application` reports them and sets them aside."""
    home.create()
    home.app_state.parent.mkdir(parents=True, exist_ok=True)
    for file in (home.settings, home.app_state):
        file.write_text("nonsense")
    assert start().window.isVisible()
    assert [file.read_text() for file in (home.settings, home.app_state)] == ["nonsense"] * 2


def test_a_broken_installation_is_reported(
    qt: QGuiApplication, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lanuno.store.resources.resources", lambda: tmp_path)
    with pytest.raises(StoreError) as wrong:
        StartupWindow(home)
    assert wrong.value.problem is FileProblem.MISSING_RESOURCES


def test_the_running_app_fills_the_window_that_is_shown(
    start: Callable[[], StartupWindow], home: Home
) -> None:
    shown = StartupWindow(home)
    running = Running(home, language="en", startup=shown)
    try:
        assert running.window is shown.window
        assert shown.window.property("filled")
    finally:
        running.close()


def test_only_what_the_window_needs_is_loaded_before_it_shows() -> None:
    """Importing the rules or cryptography would delay the first frame by a fifth."""
    loaded_later = ("asyncio", "cryptography", "zeroconf", "lanuno.dealing", "lanuno.rules")
    check = (
        "import sys\n"
        "from lanuno.app import main, program\n"
        f"loaded = set({loaded_later!r}) & set(sys.modules)\n"
        "assert 'lanuno.app.startup_window' in sys.modules\n"
        "assert not loaded, loaded\n"
        "from lanuno.app import running\n"
        "assert 'zeroconf' not in sys.modules, 'only the search needs it, after the first page'\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
