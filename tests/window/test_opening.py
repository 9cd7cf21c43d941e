"""The first window fits a small screen, with all that a turn needs; it also opens with a game."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from lanuno.store.paths import Home
from lanuno.store.settings import Settings, save_settings
from tests.harness.log_table.log_table import SHORT, new_table
from tests.harness.screens.player import hand, question
from tests.harness.screens.screen import Item, ScreenContents, screen

NEEDED = ("Draw", "On the discard pile", "Say UNO", "You: ", "Leave the table")
"""How the names of both piles, of two buttons and of this player begin."""


def dealt(seen: ScreenContents) -> list[Item] | None:
    """Return the needed items once this player holds cards."""
    found = [[i for i in seen.items if i.name.startswith(each)] for each in NEEDED]
    return [each[0] for each in found] if len(hand(seen)) >= 7 and all(found) else None


def place(item: Item) -> QRect:
    return QRect(*item.rect)


@pytest.mark.parametrize(
    ("size", "scale"),
    [((1366, 768), 1.25), ((1920, 1080), 2.0), ((1024, 600), 1.0)],
    ids=["1366x768-125", "1920x1080-200", "1024x600"],
)
def test_the_first_window_fits_the_screen(
    tmp_path: Path, size: tuple[int, int], scale: float
) -> None:
    home = Home.at(tmp_path / "home")
    save_settings(home, Settings(adapter="lo", practice_bots=1, motion=0.0))
    with screen(home.data, "--lang", "en", size=size, scale=scale) as shown:
        shown.page("home")
        shown.take_keyboard()
        shown.click("Practise", role="Button")
        started = shown.wait(lambda seen: seen if dealt(seen) or question(seen) else None)
        if answers := question(started):  # the first card is a Wild: its colour
            shown.click_at(answers[0].middle)
        shown.wait(dealt)
        seen = shown.look()
        room = QRect(0, 0, round(size[0] / scale), round(size[1] / scale))
        assert room.contains(QRect(*seen.window))
        cards = hand(seen)
        needed = dealt(seen) or []
        for item in (*cards, *needed):
            assert room.contains(place(item)), item.name
        assert needed
        for one, other in (*combinations(needed, 2), *((a, b) for a in cards for b in needed)):
            assert not place(one).intersects(place(other)), (one.name, other.name)
        shown.keys("ctrl+q")
        shown.item("Leave the table?", role="Dialog")
        leave = shown.wait(lambda seen: [each for each in seen.items if each.name == "Leave"])
        shown.click_at(leave[0].middle)
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
