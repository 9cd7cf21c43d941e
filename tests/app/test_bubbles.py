"""Words and reactions about a seat cover no number of cards and no points of any seat."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QObject, QRectF
from PySide6.QtQuick import QQuickWindow

from lanuno.app.running import Running
from lanuno.table.messages import Reaction
from lanuno.table.outputs import ReactionSeen
from tests.app.pictures import scenes_table as scenes
from tests.app.pictures.inspection import Spot, spots
from tests.app.pictures.render import LARGE, SMALL
from tests.app.pictures.tables import NAMES
from tests.app.waiting import settle, until


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


def bubbles(window: QQuickWindow) -> list[QRectF]:
    """Return the places of all words and reactions over the table."""
    return [
        spot.whole
        for spot in spots(window)
        if spot.item.inherits("QQuickRectangle")
        and spot.above
        and spot.above[-1].objectName().startswith(("flash", "reaction"))
    ]


def at_rest(window: QQuickWindow, stack: QObject, players: int) -> bool:
    return not stack.property("busy") and len(figures(window)) == players


def shown(window: QQuickWindow, number: int) -> bool:
    return len(bubbles(window)) == number


def clear(running: Running, window: QQuickWindow) -> None:
    """End all motions."""
    running.app.table_controller.jumped.emit()
    until(lambda: not bubbles(window))


def covered(window: QQuickWindow) -> list[str]:
    """Return the seats of which a bubble covers a figure, or that it leaves the window."""
    whole = QRectF(0, 0, window.width(), window.height())
    found = [f"a bubble is outside: {each}" for each in bubbles(window) if not whole.contains(each)]
    for seat, places in figures(window).items():
        for place in places:
            found += [f"{seat}: {each}" for each in bubbles(window) if each.intersects(place)]
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
        for seat in range(players):
            clear(running, window)
            table.moved.emit("host", seat, seat, [])
            table.moved.emit("challenge", seat, seat, [])
            until(partial(shown, window, 2))
            found += [f"{players}, words of {seat}: {each}" for each in covered(window)]
            clear(running, window)
            running.app.session_controller._receive(
                ReactionSeen(NAMES[seat], seat, Reaction.WELL_PLAYED)
            )
            settle()
            until(partial(shown, window, 1))
            found += [f"{players}, reaction of {seat}: {each}" for each in covered(window)]
    assert found == []
