"""Matches between Linux and Windows, run as `python -m tests.wine.scenarios NAME`.

The other computer, the peer, is the one with Windows.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.harness.processes.programs import Program, warnings_in
from tests.harness.screens.player import MousePlayer, enter_name, moved_in, play_a_round
from tests.harness.screens.screen import SOFTWARE, Screen, screen
from tests.harness.sockets.running import run
from tests.lan.network import lay_cable, on_peer
from tests.lan.playing import COMMAND, a_game
from tests.wine import windows

PYTHON: Final = on_peer(*windows.COMMAND)
WINDOWS: Final = (*PYTHON, "-u", "-m", "lanuno.cli.main")
SHORT: Final = ("--rounds", "1", "--set", "hand_size=3")


def windows_hosts(folder: Path) -> None:
    """A program of Linux finds the table of one of Windows, and plays there."""
    run(a_game(folder, host=WINDOWS, player=COMMAND))


def linux_hosts(folder: Path) -> None:
    """A program of Windows finds the table of one of Linux, and plays there."""
    run(a_game(folder, host=COMMAND, player=WINDOWS))


def a_window(folder: Path) -> None:
    """A window of Windows joins a table of Linux, then hosts one for a program of Linux."""
    home = moved_in(folder / "window", motion=0.0, one_round=True, adapter=None)
    variables = {"PASS_QT_QUICK_BACKEND": SOFTWARE, "LANG": "C.UTF-8"}
    with screen(home, environment=variables, python=PYTHON) as shown:
        shown.take_keyboard()
        enter_name(shown, "Wanda")
        _joins(shown, folder)
        shown.keys("Escape")
        shown.page("home")
        _hosts(shown, folder)
        shown.keys("ctrl+q")
        shown.end()


def _joins(shown: Screen, folder: Path) -> None:
    own = ("--table", "From Linux", "--name", "Ana", "--seats", "2", "--json")
    with Program("host", *own, *SHORT, home=folder / "host") as host:
        host.heard("is open on port")
        shown.item("From Linux", "free", role="Button")
        _picture(shown, "found")
        shown.click("From Linux", "free", role="Button")
        shown.page("room")
        shown.click("ready", role="Button")
        _plays(shown, host, "joined")


def _hosts(shown: Screen, folder: Path) -> None:
    shown.click("Host a table", role="Button")
    shown.click("Open the table", role="Button")
    shown.page("room")
    own = ("--table", "Wanda's table", "--name", "Beto", "--json")
    with Program("bot", *own, home=folder / "bot") as bot:
        shown.click("Begin", role="Button")
        _plays(shown, bot, "hosted")


def _plays(shown: Screen, other: Program, name: str) -> None:
    """Play a round by mouse, and see the same verdict on both sides."""
    shown.page("table")
    play_a_round([MousePlayer(shown)])
    shown.item("verified by 2 of 2")
    _picture(shown, name)
    assert other.end(0).json["verdict"] == "verified"


def _picture(shown: Screen, name: str) -> None:
    """Save a picture of the screen, if somebody wants to see it."""
    if folder := os.environ.get("LANUNO_PICTURES"):
        shown.picture(Path(folder, f"wine-{name}.png"))


SCENARIOS: Final[dict[str, Callable[[Path], None]]] = {
    each.__name__: each for each in (windows_hosts, linux_hosts, a_window)
}


def main(name: str) -> None:
    """Set up the cable, and play one scenario."""
    lay_cable()
    with tempfile.TemporaryDirectory() as folder, windows.session():
        SCENARIOS[name](Path(folder))
        for log in Path(folder).glob("*/lanuno.log"):
            assert not warnings_in(log.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(sys.argv[1])
