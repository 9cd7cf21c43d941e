"""Keyboard focus: every item that the Tab key reaches shows a focus ring."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtQuick import QQuickItem, QQuickWindow

from lanuno.app.running import Running
from tests.app.pictures import scenes_entry as start
from tests.app.pictures import scenes_history as history
from tests.app.pictures import scenes_result as results
from tests.app.pictures import scenes_settings as settings
from tests.app.pictures import scenes_table as tables
from tests.app.pictures import scenes_verifier as verifier
from tests.app.pictures.rig import AppRig, app_rig
from tests.app.pictures.scene import Scene, View
from tests.app.user_input import press

MOST = 90
"""The most presses of Tab that a page may need to come back to its first item."""
RING = 7
"""Pixels around an item that its focus ring takes up."""


def around(window: QQuickWindow, item: QQuickItem) -> QRect:
    """Return the area of an item and its focus ring within the window."""
    place = item.mapRectToScene(item.boundingRect()).toAlignedRect()
    whole = QRect(0, 0, window.width(), window.height())
    return place.adjusted(-RING, -RING, RING, RING).intersected(whole)


def unseen(rig: AppRig) -> list[str]:
    """Return the items that look the same before, during and after keyboard focus."""
    window = rig.window
    found: list[str] = []
    met: list[QQuickItem] = []
    pictures = [rig.photograph()]
    places: list[QRect] = []
    for _ in range(MOST):
        press(window, Qt.Key.Key_Tab)
        item = window.activeFocusItem()
        if item in met:
            pictures.append(rig.photograph())
            break
        met.append(item)
        stop = item
        while not stop.property("activeFocusOnTab") and stop != window.contentItem():
            stop = stop.parentItem()
        places.append(around(window, stop))
        pictures.append(rig.photograph())
    else:
        raise AssertionError("the keyboard does not come round: " + ", ".join(map(str, met)))
    assert len(met) > 1
    for number, (item, place) in enumerate(zip(met, places, strict=True)):
        before, now, after = (each.copy(place) for each in pictures[number : number + 3])
        if before == now == after:
            found.append(f"{item.metaObject().className()} {item.objectName()} {place}")
    return found


@pytest.fixture(scope="module")
def rig(qt: QGuiApplication) -> Iterator[AppRig]:
    """One app for all pages."""
    del qt
    with app_rig() as (made, _):
        yield made


@pytest.mark.parametrize(
    "arrange",
    [
        start.found,
        start.newcomer,
        start.host,
        start.join,
        start.room,
        history.full,
        results.after_the_match,
        settings.open_settings,
        settings.read_rules,
        tables.playing(),
        tables.moves,
        tables.chatting,
        verifier.timeline,
    ],
)
def test_the_keyboard_is_seen_everywhere(
    rig: AppRig, arrange: Callable[[Running, View], None]
) -> None:
    rig.arrange(Scene("focus", arrange), View())
    assert unseen(rig) == []
