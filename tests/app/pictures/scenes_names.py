"""Scenes with names that are hard to show, in seats, chat lines and results.

They have wide letters, markup, emoji, right-to-left text or stacked marks. A table admits them all.
"""

from __future__ import annotations

from functools import cache

from lanuno.app.running import Running
from lanuno.client.snapshot import TableStage
from lanuno.log.format.bodies import CloseReason
from lanuno.log.format.names import clean_name
from lanuno.table.outputs import ChatReceived
from tests.app.pictures.render import settle
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.scenes_result import put as put_result
from tests.app.pictures.scenes_table import put as put_table
from tests.app.pictures.scenes_table import screen
from tests.app.pictures.tables import Simulated

WIDE = "W" * 20
EMOJI = "🦊" * 16
"""64 bytes."""
MARKUP = "<img src=//x.y/z>"
BACKWARDS = "\u0623\u0628\u0648 \u0628\u0643\u0631 123 abc"
STACKED = "\u0e01\u0e47" * 10
NAMES = (WIDE, MARKUP, EMOJI, BACKWARDS, STACKED)
assert tuple(clean_name(name) for name in NAMES) == NAMES


@cache
def game() -> Simulated:
    return Simulated(5, seed=3, names=NAMES).until(lambda seen: seen.decider == 0)


def table(running: Running, view: View) -> None:
    put_table(running, game())
    running.app.chat_controller.mine = 0
    for seat, name in enumerate(NAMES):
        running.app.chat_controller.add_line(ChatReceived(name, seat, f"{name} " * 3))
    screen(running).setProperty("beside", "chat")
    settle()


def result(running: Running, view: View) -> None:
    ended = Simulated(5, seed=2, names=NAMES).rounds(99)
    put_result(running, ended, TableStage.CLOSED, closed=CloseReason.FINISHED)


SCENES = [
    Scene("table-names", table, outside=(*NAMES, "Kitchen table", "WWW", "🦊")),
    Scene("result-names", result, outside=(*NAMES, "WWW", "🦊")),
]
