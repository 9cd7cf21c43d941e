"""The window opens on the first page or with a game, closes by keyboard, and prints nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.log_table.log_table import SHORT, new_table
from tests.harness.screens.screen import screen


def test_the_window_opens_and_closes(tmp_path: Path) -> None:
    with screen(tmp_path / "home", "--lang", "en") as shown:
        shown.page("home")
        shown.take_keyboard()
        shown.keys("ctrl+q")
        shown.end()


@pytest.mark.parametrize("locale", ["C.UTF-8", "POSIX"])
def test_a_game_whose_name_is_not_utf_8_opens(tmp_path: Path, locale: str) -> None:
    """By the first start, and by a second one whose locale is another."""
    home = tmp_path / "home"
    first = tmp_path / os.fsdecode(b"caf\xe9.lanuno")
    first.write_bytes(new_table(2, SHORT).run().file)
    second = tmp_path / os.fsdecode(b"\xf1and\xfa.lanuno")
    second.write_bytes(new_table(3, SHORT).run().file)
    environment = {"LC_ALL": "C.UTF-8"}
    with screen(home, "--lang", "en", "open", str(first), environment=environment) as shown:
        shown.page("verifier")
        shown.item("This game was fair.")
        shown.item("p1")
        command = [
            sys.executable,
            "-m",
            "lanuno.cli.main",
            "open",
            "--home",
            str(home),
            str(second),
        ]
        environment = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        subprocess.run(
            command,
            env={**os.environ, **environment, "QT_QPA_PLATFORM": "offscreen"},
            check=True,
            timeout=60,
        )
        shown.item("p2")
        shown.process.terminate()
        shown.end()
