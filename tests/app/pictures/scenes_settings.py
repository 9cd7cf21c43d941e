"""Settings, rules and history."""

from __future__ import annotations

from PySide6.QtCore import QObject

from lanuno.app.running import Running
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


def read_rules(running: Running, view: View) -> None:
    running.app.rulebook.setProperty("search", "")
    running.app.rulebook.setProperty("preset", "classic")
    running.app.open("rules")


def rules_of_saying_uno(running: Running, view: View) -> None:
    read_rules(running, view)
    running.app.rulebook.setProperty("search", "UNO")


def rules_of_draw_four(running: Running, view: View) -> None:
    read_rules(running, view)
    running.app.rulebook.setProperty("search", "cuatro" if view.language == "es" else "Four")


def house_rules(running: Running, view: View) -> None:
    read_rules(running, view)
    running.app.rulebook.setProperty("preset", "house")


def search_rules(running: Running, view: View) -> None:
    read_rules(running, view)
    running.app.rulebook.setProperty("preset", "partners")
    running.app.rulebook.setProperty("search", "uno")


SCENES = [
    Scene("rules", read_rules),
    Scene("rules-uno", rules_of_saying_uno, often=False),
    Scene("rules-four", rules_of_draw_four, often=False),
    Scene("rules-house", house_rules),
    Scene("rules-search", search_rules),
    Scene("settings", open_settings),
    Scene("settings-end", end_of_settings),
]
