"""The share of a core that an idle window uses without a graphics card.

The app runs on its own X server, drawn by Qt's software backend and by OpenGL on the processor
(which redraws the whole window whenever anything moves). The mouse brings it to each state in which
players leave it idle. The time is what Linux counts for the whole process.
"""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lanuno.store.app_state import AppState, TableWishes, save_app_state
from lanuno.store.paths import Home
from lanuno.store.settings import Settings, save_settings
from tests.bench.row import Row
from tests.harness.screens.player import MousePlayer, enter_name
from tests.harness.screens.screen import SOFTWARE, Item, Screen, ScreenContents, screen

BUDGET = 0.03
"""The largest share of a core."""
SPAN = 20.0
"""Seconds over which the share is measured."""
REST = 15.0
"""Seconds after which all initial animations have ended."""
LONGEST_ROUND = 200.0
TICK = os.sysconf("SC_CLK_TCK")
BACKENDS = {SOFTWARE: "software", "": "OpenGL"}


def run() -> list[Row]:
    """Measure every state in both ways of drawing."""
    return [row for backend, name in BACKENDS.items() for row in _rows(backend, name)]


def _rows(backend: str, name: str) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="lanuno-bench-") as folder:
        for state, share in shares(Path(folder), backend):
            yield Row(f"idle, {state} ({name})", share, BUDGET, f"{100 * share:.1f} % of a core")


def shares(folder: Path, backend: str) -> Iterator[tuple[str, float]]:
    """Yield each state and the share of a core that it uses."""
    with (
        window(folder / "ana", backend) as ana,
        window(folder / "bea", backend) as bea,
    ):
        name = f"Ana{secrets.token_hex(3)}"
        yield "newcomer", idle(ana)["ana"]
        for shown, who in ((ana, name), (bea, "Bea")):
            enter_name(shown, who)
        yield "no table", idle(ana)["ana"]
        ana.click("Practise", role="Button")
        ana.page("table")
        ana.wait(_to_move)
        yield "own turn, no clock", idle(ana)["ana"]
        ana.keys("Escape")
        _leave(ana)
        ana.page("home")

        ana.click("Host a table", role="Button")
        ana.page("host")
        ana.click("Open the table", role="Button")
        ana.page("room")
        bea.item(f"{name}'s table", "free", role="Button")
        both = idle(ana, bea)
        yield "waiting room", both["ana"]
        yield "a table is found", both["bea"]
        bea.click(f"{name}'s table", "free", role="Button")
        bea.page("room")
        bea.click("ready", role="Button")
        ana.click("Begin", role="Button")
        for shown in (ana, bea):
            shown.page("table")
        first = _either(ana, bea, _to_move)
        both = idle(ana, bea)
        yield "own turn, clock", both[first.home.name]
        yield "waiting for another", both["bea" if first is ana else "ana"]
        players = [MousePlayer(ana), MousePlayer(bea)]
        end = time.monotonic() + LONGEST_ROUND
        while {player.step().page for player in players} != {"result"}:
            assert time.monotonic() < end, ana.look().words
        yield "result", idle(ana)["ana"]


def idle(*screens: Screen) -> dict[str, float]:
    """Return each window's share of a core, by the name of its folder, once all animations end."""
    time.sleep(REST)
    before, begun = [spent(each) for each in screens], time.monotonic()
    time.sleep(SPAN)
    took = time.monotonic() - begun
    return {
        each.home.name: (spent(each) - was) / took
        for each, was in zip(screens, before, strict=True)
    }


def spent(shown: Screen) -> float:
    """Return the CPU seconds that the window's process has used."""
    fields = Path(f"/proc/{shown.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


@contextmanager
def window(folder: Path, backend: str) -> Iterator[Screen]:
    """Open the app for a player with short hands and all animations on."""
    home = Home.at(folder)
    save_settings(home, Settings(adapter="lo", language="en", practice_bots=1))
    table = TableWishes(seats=2, rounds=1, rules={"hand_size": 3})
    save_app_state(home, AppState(table=table))
    with screen(folder, backend=backend) as shown:
        shown.page("home")
        shown.take_keyboard()
        yield shown


def _leave(shown: Screen) -> None:
    """Confirm leaving; a button with almost the same name lies underneath the question."""
    shown.item("Leave the table?", role="Dialog")

    def answer(seen: ScreenContents) -> Item | None:
        return next((each for each in seen.items if each.name == "Leave"), None)

    shown.click_at(shown.wait(answer).middle)


def _to_move(seen: ScreenContents) -> bool:
    return any(words in seen.words for words in ("Your turn", "You are hit", "You start"))


def _either(one: Screen, other: Screen, true: Callable[[ScreenContents], bool]) -> Screen:
    end = time.monotonic() + LONGEST_ROUND
    while time.monotonic() < end:
        for shown in (one, other):
            if true(shown.look()):
                return shown
    raise AssertionError(one.look().words)
