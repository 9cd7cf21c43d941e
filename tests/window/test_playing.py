"""People play: two windows on one network with two bots, by mouse; and one alone, by keyboard."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from lanuno.store.app_state import AppState, TableWishes, save_app_state
from lanuno.store.paths import Home
from lanuno.store.settings import Settings, save_settings
from tests.harness.screens.player import KeyPlayer, MousePlayer, Player, enter_name
from tests.harness.screens.screen import Item, Screen, ScreenContents, screen

LONGEST_ROUND = 200.0
"""Seconds after which a round counts as stuck."""


def moved_in(folder: Path, motion: float = 1.0, *, one_round: bool = False) -> Path:
    """Folders of somebody whose network is this computer."""
    home = Home.at(folder)
    save_settings(home, Settings(adapter="lo", language="en", practice_bots=1, motion=motion))
    # They played with short hands the last time, and the app remembers.
    rules: dict[str, bool | int | str] = {"hand_size": 3}
    short = TableWishes(rules=rules)
    if one_round:
        short = TableWishes(preset="masters-short", seats=2, rules=rules)
    save_app_state(home, AppState(table=short))
    return folder


def add_one(shown: Screen, name: str) -> None:
    """Press the plus of a number."""
    x, y, width, height = shown.item(name, role="SpinBox").rect
    shown.click_at((x + width - height // 2, y + height // 2))


def moved_focus(before: Item | None, seen: ScreenContents) -> tuple[Item | None] | None:
    """What has the keyboard, once that is something else than before.

    It can be nothing: the keyboard was at a table in the list, of another test, and that table
    vanished. The next Tab leads on from there.
    """
    now = seen.focused
    if (now and (now.name, now.rect)) == (before and (before.name, before.rect)):
        return None
    return (now,)


def press(shown: Screen, name: str) -> None:
    """Go to a button with the Tab key, and press it."""
    focused = shown.look().focused
    for _ in range(30):
        if focused is not None and focused.name == name:
            return shown.keys("Return")
        shown.keys("Tab")
        # A key that was pressed is still on its way when the screen has not changed.
        (focused,) = shown.wait(partial(moved_focus, focused))
    raise AssertionError(f"no way to {name}: {shown.look().words}")


def play_a_round(players: Sequence[Player]) -> None:
    """Until everybody sees its result."""
    end = time.monotonic() + LONGEST_ROUND
    while {player.step().page for player in players} != {"result"}:
        assert time.monotonic() < end, players[0].screen.look().words
        time.sleep(0.05)


def test_two_windows_and_two_bots_play_a_round_by_mouse(tmp_path: Path) -> None:
    with (
        screen(moved_in(tmp_path / "ana", motion=0.0)) as ana,
        screen(moved_in(tmp_path / "bea", motion=0.0)) as bea,
    ):
        # The table is called after her, and others of this computer may play here at the same time.
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
            shown.item("verified by 4 of 4")
            # The match is over, so that nobody is left behind.
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
        shown.item("verified by 2 of 2")
        shown.keys("ctrl+q")
        shown.item("Leave the table?", role="Dialog")
        press(shown, "Leave")
        shown.end()


def test_a_match_by_keyboard_alone(tmp_path: Path) -> None:
    """From the first page to the first page, with no more keys than the program's help names."""
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
        # Nobody moves in the first seconds of a round, so this is early enough.
        shown.wait(lambda seen: any("Your hand" in each for each in seen.announced))
        shown.keys("F1")
        shown.item("Keys", role="Dialog")
        shown.keys("Escape")
        shown.gone("Keys", role="Dialog")
        shown.keys("r")
        shown.wait(lambda seen: any("Since your last turn" in each for each in seen.announced))
        play_a_round([KeyPlayer(shown)])
        shown.item("verified by 2 of 2")
        press(shown, "Play again")
        shown.page("table")
        play_a_round([KeyPlayer(shown)])
        shown.item("verified by 2 of 2")
        shown.keys("Escape")
        shown.page("home")
        shown.keys("ctrl+q")
        shown.end()
