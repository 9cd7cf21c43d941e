"""The chat in the window of a host with bots shows every line once, without Qt warnings."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtQuick import QQuickItem, QQuickWindow

from lanuno.app.running import Running
from lanuno.bots.pace import BotPace
from tests.app.network import is_playing, open_table
from tests.app.pictures.render import SMALL
from tests.app.user_input import click, press, write
from tests.app.waiting import drawn, until

LONG = "a rather long line that has to be wrapped " * 4 + "x" * 30


def lines(window: QQuickWindow) -> list[tuple[str, str]]:
    """Return the lines of the visible chat: the name and the text of each."""
    (panel,) = [each for each in window.findChildren(QQuickItem, "chatLines") if each.isVisible()]
    texts: list[tuple[str, str]] = []

    def walk(item: QQuickItem) -> None:
        if item.objectName() == "chatLine":
            texts.append((item.property("name"), item.property("text")))
        for child in item.childItems():
            walk(child)

    walk(panel)
    return texts


@pytest.mark.parametrize(("size", "text"), [(SMALL, 1.5), ((1600, 1000), 1.0)])
def test_what_a_host_with_bots_says_is_there_once(
    running: Running, table_name: str, size: tuple[int, int], text: float
) -> None:
    app, window = running.app, running.window
    assert isinstance(window, QQuickWindow)
    window.resize(*size)
    for name, value in (("language", "en"), ("adapter", "lo"), ("textScale", text)):
        app.settings_controller.setProperty(name, value)
    app.settings_controller.setProperty("playerName", "Ana")
    app.session_controller.bot_pace = BotPace(move=0.01, uno=0.0)
    open_table(app, table_name, seats=3, bots=2)
    until(lambda: app.property("page") == "room")
    click(window, "say")
    write(window, "hello")
    press(window, Qt.Key.Key_Return)
    until(lambda: lines(window) == [("Ana", "hello")])
    # A duplicate of the first line would arrive before the next line.
    write(window, LONG)
    press(window, Qt.Key.Key_Return)
    until(lambda: len(lines(window)) >= 2)
    app.room_controller.setReady(True)
    until(lambda: app.room_controller.property("canStart"))
    app.room_controller.begin()
    until(lambda: is_playing(app))
    if not any(each.isVisible() for each in window.findChildren(QQuickItem, "say")):
        press(window, Qt.Key.Key_T)
    click(window, "say")
    write(window, "at the table")
    press(window, Qt.Key.Key_Return)
    until(lambda: ("Ana", "at the table") in lines(window))
    write(window, "still")
    press(window, Qt.Key.Key_Return)
    until(lambda: ("Ana", "still") in lines(window))
    drawn(window)
    said = ["hello", LONG, "at the table", "still"]
    assert lines(window) == [("Ana", text) for text in said]
    assert [row.text for row in app.chat_controller._lines.rows] == said
