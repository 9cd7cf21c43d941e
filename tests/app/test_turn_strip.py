"""The turn strip has room for the prompt and all of its buttons in the smallest window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QRectF
from PySide6.QtGui import QAccessible
from PySide6.QtQuick import QQuickWindow

from lanuno.app.running import Running
from lanuno.client.languages import languages
from tests.app.pictures import scenes_table as scenes
from tests.app.pictures.inspection import cut_texts, overlaps, spots
from tests.app.pictures.scene import Scene, View
from tests.app.user_input import click, find
from tests.app.waiting import drawn, until

BUTTONS = ("object", "accuse", "catch", "keep", "draw", "uno")
ARRANGE: dict[str, Callable[[Running, View], None]] = {
    "buttons": scenes.buttons,
    "catch": scenes.asked("catch"),
    "drawn": scenes.drawn_card,
    "turn": scenes.playing(),
    "challenge": scenes.asked("challenge"),
}


def arranged(
    running: Running, window: QQuickWindow, what: str, scale: float, language: str = "en"
) -> dict[str, QRectF]:
    """Return the place of every visible item with a name."""
    running.app.settings_controller.change("language", language)
    running.app.settings_controller.change("text_scale", scale)
    ARRANGE[what](running, View(language, text_scale=scale, players=10))
    find(window, "me")
    stack = window.findChild(QObject, "stack")
    assert stack is not None
    until(lambda: not stack.property("busy"))
    drawn(window)
    return {spot.item.objectName(): spot.whole for spot in spots(window) if spot.item.objectName()}


@pytest.mark.parametrize("what", ARRANGE)
@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("language", languages())
def test_nothing_overflows(
    running: Running, window: QQuickWindow, what: str, scale: float, language: str
) -> None:
    places = arranged(running, window, what, scale, language)
    # A question takes the place of the prompt.
    asked = "challenge" if what == "challenge" else "prompt"
    shown = [places[name] for name in ("me", asked, *BUTTONS) if name in places]
    assert len(shown) > (1 if what == "challenge" else 2)
    for place, one in enumerate(shown):
        assert one.right() <= window.width()
        for other in shown[place + 1 :]:
            assert not one.intersects(other)
    assert places[asked].width() >= 150
    scene = Scene(what, ARRANGE[what], outside=scenes.OUTSIDE)
    seen = list(spots(window))
    assert list(cut_texts(seen, window, scene)) == []
    assert list(overlaps(seen, scene)) == []
    reasons = {row.why_not for row in running.app.table_controller._hand.rows if row.why_not}
    for reason in reasons if asked == "prompt" else ():
        find(window, "turn").setProperty("whyNot", reason)
        drawn(window)
        seen = list(spots(window))
        assert any(spot.item.property("text") == reason for spot in seen)
        assert list(cut_texts(seen, window, scene)) == []


def test_what_shows_only_a_sign_is_called_by_its_words(
    running: Running, window: QQuickWindow
) -> None:
    arranged(running, window, "buttons", 1.5)
    accuse = find(window, "accuse")
    accessible = QAccessible.queryAccessibleInterface(accuse)
    assert (accuse.property("text"), accessible.text(QAccessible.Text.Name)) == ("", "Accuse")
    click(window, "accuse")
    assert accessible.text(QAccessible.Text.Name) == "Whom?"
    running.app.settings_controller.change("text_scale", 1.0)
    drawn(window)
    assert find(window, "draw").property("text") == "Draw"


def test_a_draw_that_gets_no_card_is_called_a_pass(running: Running, window: QQuickWindow) -> None:
    arranged(running, window, "turn", 1.0)
    find(window, "turn").setProperty("drawPasses", True)
    assert find(window, "draw").property("text") == "Pass"
