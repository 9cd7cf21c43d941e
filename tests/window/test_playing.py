"""Whole rounds: two windows and two bots by mouse, and one window against a bot by keyboard."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path

from tests.harness.screens.player import (
    KeyPlayer,
    MousePlayer,
    enter_name,
    moved_in,
    play_a_round,
)
from tests.harness.screens.screen import Item, Screen, ScreenContents, screen


def add_one(shown: Screen, name: str) -> None:
    """Click the plus button of a spin box."""
    x, y, width, height = shown.item(name, role="SpinBox").rect
    shown.click_at((x + width - height // 2, y + height // 2))


def moved_focus(before: Item | None, seen: ScreenContents) -> tuple[Item | None] | None:
    """Return the item with keyboard focus in a tuple, or None while it is the same as before.

    The item itself may be None: the list may show a table of another test, and an item with focus
    disappears with its table. The next Tab moves on from there.
    """
    now = seen.focused
    if (now and (now.name, now.rect)) == (before and (before.name, before.rect)):
        return None
    return (now,)


def press(shown: Screen, name: str) -> None:
    """Move the focus to a button with the Tab key, and press Return."""
    focused = shown.look().focused
    for _ in range(30):
        if focused is not None and focused.name == name:
            return shown.keys("Return")
        shown.keys("Tab")
        # The app may not have handled the key yet, so wait until the focus has changed.
        (focused,) = shown.wait(partial(moved_focus, focused))
    raise AssertionError(f"no way to {name}: {shown.look().words}")


def test_two_windows_and_two_bots_play_a_round_by_mouse(tmp_path: Path) -> None:
    with (
        screen(moved_in(tmp_path / "ana", motion=0.0)) as ana,
        screen(moved_in(tmp_path / "bea", motion=0.0)) as bea,
    ):
        # The table has the host's name, and other tests may host tables on this computer.
        host = f"Ana{secrets.token_hex(3)}"
        for shown, name in ((ana, host), (bea, "Bea")):
            shown.take_keyboard()
            enter_name(shown, name)
        ana.click("Host a table", role="Button")
        add_one(ana, "Bots: 0")
        add_one(ana, "Bots: 1")
        add_one(ana, "Rounds: until somebody wins")
        ana.item("Rounds: 1", role="SpinBox")
        ana.click("Open the table", role="Button")
        ana.page("room")

        bea.click(f"{host}'s table", "free", role="Button")
        bea.page("room")
        bea.click("ready", role="Button")
        ana.click("Begin", role="Button")
        for shown in (ana, bea):
            shown.page("table")
        play_a_round([MousePlayer(ana), MousePlayer(bea)])
        for shown in (ana, bea):
            shown.item("verified by 2 of 2")
            # The match is over, so the app does not ask before it quits.
            shown.keys("ctrl+q")
        for shown in (ana, bea):
            shown.end()


def test_a_round_by_keyboard_alone(tmp_path: Path) -> None:
    with screen(moved_in(tmp_path / "home")) as shown:
        shown.page("home")
        shown.take_keyboard()
        press(shown, "Practise")
        shown.page("table")
        play_a_round([KeyPlayer(shown)])
        shown.item("verified by 1 of 1")
        shown.keys("ctrl+q")
        shown.item("Leave the table?", role="Dialog")
        press(shown, "Leave")
        shown.end()


def test_a_match_by_keyboard_alone(tmp_path: Path) -> None:
    """Play two matches, from the first page and back, with only the keys that the help names."""
    with screen(moved_in(tmp_path / "home", motion=0.0, one_round=True)) as shown:
        shown.page("home")
        shown.take_keyboard()
        shown.keys("question")
        shown.item("Keys", role="Dialog")
        shown.keys("Return")
        shown.gone("Keys", role="Dialog")
        press(shown, "Host a table")
        shown.page("host")
        press(shown, "Alone against bots")
        press(shown, "Begin")
        shown.page("table")
        # The first moves of a round come seconds later, so the help opens before them.
        shown.wait(lambda seen: any("Your hand" in each for each in seen.announced))
        shown.keys("F1")
        shown.item("Keys", role="Dialog")
        shown.keys("Escape")
        shown.gone("Keys", role="Dialog")
        shown.keys("r")
        shown.wait(lambda seen: any("Since your last turn" in each for each in seen.announced))
        play_a_round([KeyPlayer(shown)])
        shown.item("verified by 1 of 1")
        press(shown, "Play again")
        shown.page("table")
        play_a_round([KeyPlayer(shown)])
        shown.item("verified by 1 of 1")
        shown.keys("Escape")
        shown.page("home")
        shown.keys("ctrl+q")
        shown.end()
