"""Scenes of automatic moves, of the speed of bots, and of the settings and texts for both."""

from __future__ import annotations

from functools import cache
from itertools import takewhile
from random import Random
from typing import Any

import msgspec
from PySide6.QtCore import QObject, QPointF
from PySide6.QtQuick import QQuickItem

from lanuno.app.running import Running
from lanuno.bots.strategies import RandomPlayer
from lanuno.rules.engine.actions import Accept, Action, Draw, Keep
from lanuno.rules.engine.events import DrawReason, Drew, Kept, Played
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import CLASSIC
from lanuno.rules.view import SeatView
from tests.app.pictures.render import settle
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.scenes_table import OUTSIDE, put, screen
from tests.app.pictures.tables import Simulated

UNTIL = msgspec.structs.replace(CLASSIC, draw_until_playable=True)
STACKING = msgspec.structs.replace(CLASSIC, stack_draw_two=True)


def settings_at(name: str) -> Any:
    """Return a scene of the settings, scrolled to one of them."""

    def arrange(running: Running, view: View) -> None:
        running.app.open("settings")
        settle()
        assert running.window is not None
        area = running.window.findChild(QObject, "area")
        item = running.window.findChild(QQuickItem, name)
        assert area is not None
        assert item is not None
        content = area.property("contentItem")
        top = item.mapToItem(content, QPointF(0, 0)).y()
        most = max(0.0, area.property("contentHeight") - area.property("height"))
        area.setProperty("contentY", min(most, max(0.0, top - area.property("height") / 3)))

    return arrange


@cache
def forced(kind: type[Action]) -> Simulated:
    """Return a game in which an act of this kind is the only one of the own seat."""

    def only(seen: SeatView) -> bool:
        by_itself = seen.phase is RoundPhase.DRAWN or kind is Accept
        return by_itself and seen.decider == 0 and [type(each) for each in seen.legal] == [kind]

    rules = {Keep: CLASSIC, Draw: UNTIL, Accept: STACKING}[kind]
    # A random player also draws instead of playing, and so draws cards that do not fit.
    first = None if kind is Accept else RandomPlayer(Random(1))
    table = Simulated(4, rules=rules, seed=2, first=first)
    return table.until(only, 20_000)


def before(kind: type[Action]) -> Any:
    """Return a scene just before an automatic move of this kind."""

    def arrange(running: Running, view: View) -> None:
        put(running, forced(kind))

    return arrange


def row_of_draws(running: Running, view: View) -> None:
    """Show a table at which a player draws until a card fits."""
    table = Simulated(4, rules=UNTIL, seed=3)
    table.until(lambda _: len(table.happened) > 60 and in_a_row(table) > 3, 20_000)
    put(running, table)
    screen(running).setProperty("beside", "moves")


def in_a_row(table: Simulated) -> int:
    """Return how many times in a row one seat has drawn at the end of the moves."""
    acts = [each for each in table.happened if isinstance(each, Drew | Kept | Played)]
    row = takewhile(
        lambda each: isinstance(each, Drew) and each.why is DrawReason.TURN, reversed(acts)
    )
    return len([each for each in row if each.seat == acts[-1].seat])


SCENES = [
    Scene("settings-bot-speed", settings_at("botSpeed"), often=False),
    Scene("settings-automatic-moves", settings_at("autoDraw"), often=False),
    Scene("table-automatic-keep", before(Keep), outside=OUTSIDE, often=False),
    Scene("table-automatic-draw", before(Draw), outside=OUTSIDE, often=False),
    Scene("table-automatic-accept", before(Accept), outside=OUTSIDE, often=False),
    Scene("table-row-of-draws", row_of_draws, outside=OUTSIDE, often=False),
]
