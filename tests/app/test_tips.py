"""Every button that shows only an icon has a tip with its name, and with its key if it has one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtQuick import QQuickItem, QQuickWindow
from PySide6.QtTest import QTest

from lanuno.app.running import Running
from tests.app.pictures import scenes_table
from tests.app.pictures.inspection import Spot, spots
from tests.app.pictures.rig import AppRig
from tests.app.pictures.scene import View, scenes
from tests.app.user_input import find
from tests.app.waiting import until

KEYS = {
    "back": "Esc",
    "leave": "Esc",
    "sort": "S",
    "log": "L",
    "chat": "T",
    "react": "E",
    "sound": "M",
    "help": "F1",
}
"""The keys of the icons, by `objectName`."""


@pytest.fixture(scope="module")
def rig(qt: QGuiApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppRig]:
    rig = AppRig(tmp_path_factory.mktemp("tips") / "Ana")
    yield rig
    rig.close()


def icon_buttons(window: QQuickWindow) -> list[Spot]:
    """Return the visible buttons without words. A number is no word."""
    seen = list(spots(window))
    worded = {
        id(up)
        for spot in seen
        if spot.item.inherits("QQuickText") and not str(spot.item.property("text")).isdecimal()
        for up in spot.above
        if str(spot.item.property("text")).strip()
    }
    buttons = [spot for spot in seen if spot.item.inherits("QQuickAbstractButton")]
    return [
        spot for spot in buttons if id(spot.item) not in worded and spot.item.property("symbol")
    ]


def name_of(item: QQuickItem) -> str:
    return str(QAccessible.queryAccessibleInterface(item).text(QAccessible.Text.Name))


def test_every_icon_says_its_name_and_its_key(rig: AppRig) -> None:
    found, known = [], set()
    for scene in (each for each in scenes() if each.often):
        rig.arrange(scene, View(players=scene.players[0]))
        for spot in icon_buttons(rig.window):
            item, tip = spot.item, str(spot.item.property("tip"))
            key = KEYS.get(item.objectName(), "")
            known.add(item.objectName())
            if name_of(item) not in tip or (key and f"({key})" not in tip):
                found.append(f"{scene.name}: {item.objectName()} {name_of(item)!r} says {tip!r}")
    assert set(KEYS) <= known
    assert found == []


def test_the_tip_of_an_icon_is_read_under_the_pointer_and_with_the_keyboard(
    running: Running, window: QQuickWindow
) -> None:
    scenes_table.put(running, scenes_table.game(4))
    for name, words in (("leave", "Leave the table (Esc)"), ("sort", "Sort the hand (S)")):
        find(window, name).forceActiveFocus(Qt.FocusReason.TabFocusReason)
        until(partial(shows, window, words))
    find(window, "hand").forceActiveFocus()
    until(lambda: "Sort the hand (S)" not in shown_texts(window))
    chat = find(window, "chat")
    QTest.mouseMove(window, chat.mapRectToScene(chat.boundingRect()).center().toPoint())
    until(lambda: "Chat (T)" in shown_texts(window))


def shows(window: QQuickWindow, words: str) -> bool:
    return words in shown_texts(window)


def shown_texts(window: QQuickWindow) -> list[str]:
    return [str(spot.item.property("text")) for spot in spots(window) if spot.item.property("text")]
