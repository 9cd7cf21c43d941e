"""The window opens on the first page, closes by keyboard, and its process prints nothing."""

from __future__ import annotations

from pathlib import Path

from tests.harness.screens.screen import screen


def test_the_window_opens_and_closes(tmp_path: Path) -> None:
    with screen(tmp_path / "home", "--lang", "en") as shown:
        shown.page("home")
        shown.take_keyboard()
        shown.keys("ctrl+q")
        shown.end()
