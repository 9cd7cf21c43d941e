"""Words and reactions about a seat cover no number of cards and no points of any seat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest
from PySide6.QtCore import QObject, QRectF
from PySide6.QtQuick import QQuickItem, QQuickWindow

from lanuno.app.running import Running
from lanuno.table.messages import Reaction
from lanuno.table.outputs import ReactionSeen
from tests.app.pictures import scenes_table as scenes
from tests.app.pictures.inspection import Spot, spots
from tests.app.pictures.render import LARGE, SMALL
from tests.app.pictures.tables import NAMES
from tests.app.user_input import find
from tests.app.waiting import until


def inside(spot: Spot, *names: str) -> str:
    """Return the name of the plate or bubble that the item is in; "" if it is in none."""
    for up in (*spot.above, spot.item):
        if up.objectName().startswith(names) or up.objectName() == "me":
            return str(up.objectName())
    return ""


def figures(window: QQuickWindow) -> dict[str, list[QRectF]]:
    """Return the places of the number of cards, the trophy and the points of every seat."""
    found: dict[str, list[QRectF]] = {}
    for spot in spots(window):
        seat = inside(spot, "seat")
        text, name = str(spot.item.property("text") or ""), spot.item.property("name")
        if seat and (text.isdecimal() or name == "trophy"):
            found.setdefault(seat, []).append(spot.whole)
    return found


Layers = Sequence[QQuickItem]
"""The item of the words over the table, and that of the reactions."""


def bubbles(layers: Layers) -> list[QRectF]:
    """Return the places of all words and reactions over the table, also of those that fade in."""
    found = []
    for layer in layers:
        for place in layer.childItems():
            for one in place.childItems():
                if one.objectName().startswith(("flash", "reaction")):
                    pill = one.childItems()[0]
                    found.append(pill.mapRectToScene(QRectF(0, 0, pill.width(), pill.height())))
    return found


def at_rest(window: QQuickWindow, stack: QObject, players: int) -> bool:
    return not stack.property("busy") and len(figures(window)) == players


def clear(running: Running, layers: Layers) -> None:
    """End all motions."""
    running.app.table_controller.jumped.emit()
    until(lambda: not bubbles(layers))


def covered(window: QQuickWindow, layers: Layers, seats: dict[str, list[QRectF]]) -> list[str]:
    """Return the seats of which a bubble covers a figure, and bubbles that leave the window."""
    whole = QRectF(0, 0, window.width(), window.height())
    seen = bubbles(layers)
    found = [f"a bubble is outside: {each}" for each in seen if not whole.contains(each)]
    for seat, places in seats.items():
        for place in places:
            found += [f"{seat}: {each}" for each in seen if each.intersects(place)]
    return found


@pytest.mark.parametrize("size", [SMALL, (1024, 640), LARGE], ids=lambda size: str(size[0]))
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_bubble_covers_neither_counts_nor_points(
    running: Running, window: QQuickWindow, size: tuple[int, int], scale: float
) -> None:
    running.app.settings_controller.change("text_scale", scale)
    running.app.chat_controller.mine = 0
    window.resize(*size)
    found: list[str] = []
    for players in (2, 3, 4, 7, 10) if size == SMALL else (4, 10):
        scenes.put(running, scenes.game(players))
        stack = window.findChild(QObject, "stack")
        assert stack is not None
        until(partial(at_rest, window, stack, players))
        table = running.app.table_controller
        layers = (find(window, "motions"), find(window, "reactions"))
        seats = figures(window)
        for seat in range(players):
            clear(running, layers)
            table.moved.emit("host", seat, seat, [])
            table.moved.emit("challenge", seat, seat, [])
            running.app.session_controller._receive(
                ReactionSeen(NAMES[seat], seat, Reaction.WELL_PLAYED)
            )
            assert len(bubbles(layers)) == 3
            found += [f"{players}, {seat}: {each}" for each in covered(window, layers, seats)]
    assert found == []
