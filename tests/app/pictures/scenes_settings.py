"""Settings, rules and history."""

from __future__ import annotations

from PySide6.QtCore import QObject

from lanuno.app.main import Running
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.stage import settle


def open_settings(running: Running, view: View) -> None:
    running.app.open("settings")


def end_of_settings(running: Running, view: View) -> None:
    running.app.open("settings")
    scroll_down(running)


def scroll_down(running: Running) -> None:
    """Show the end of the screen's scrolling content."""
    settle()
    area = running.window.findChild(QObject, "area")
    assert area is not None
    most = max(0.0, area.property("contentHeight") - area.property("height"))
    area.setProperty("contentY", most)


SCENES = [
    Scene("settings", open_settings),
    Scene("settings-end", end_of_settings),
]
