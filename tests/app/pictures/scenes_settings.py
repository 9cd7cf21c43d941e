"""Scenes of the settings, of the rules, and of sound."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, Qt
from PySide6.QtQuick import QQuickItem

from lanuno.app.running import Running
from lanuno.client.texts import Texts
from lanuno.rules.cards import Rank
from tests.app.pictures import scenes_table
from tests.app.pictures.render import settle
from tests.app.pictures.scene import Scene, View


def open_settings(running: Running, view: View) -> None:
    running.app.open("settings")


def end_of_settings(running: Running, view: View) -> None:
    running.app.open("settings")
    scroll_down(running)


def sound_settings(running: Running, view: View) -> None:
    _heard(running, muted=False, heard=True)
    _bring_the_volume_into_sight(running)


def settings_without_device(running: Running, view: View) -> None:
    _heard(running, muted=False, heard=False)
    _bring_the_volume_into_sight(running)


def _bring_the_volume_into_sight(running: Running) -> None:
    running.app.open("settings")
    settle()
    for name in ("notifications", "volume"):
        item = running.window.findChild(QQuickItem, name)
        assert item is not None
        item.forceActiveFocus(Qt.FocusReason.TabFocusReason)
        settle()


def table_muted(running: Running, view: View) -> None:
    _at_the_table(running, muted=True, heard=True)


def table_heard(running: Running, view: View) -> None:
    _at_the_table(running, muted=False, heard=True)


def table_without_device(running: Running, view: View) -> None:
    _at_the_table(running, muted=False, heard=False)


def _heard(running: Running, *, muted: bool, heard: bool) -> None:
    """Set whether sounds are muted and whether there is a device, until the next scene."""
    settings = running.app.settings_controller
    settings.setProperty("sound", not muted)
    settings.set_sound_heard(heard)


def _at_the_table(running: Running, *, muted: bool, heard: bool) -> None:
    _heard(running, muted=muted, heard=heard)
    scenes_table.put(running, scenes_table.game(4))
    settle()
    icon = running.window.findChild(QQuickItem, "sound")
    assert icon is not None
    icon.forceActiveFocus(Qt.FocusReason.TabFocusReason)
    settle()


def scroll_down(running: Running) -> None:
    """Show the end of the screen's scrolling content."""
    settle()
    area = running.window.findChild(QObject, "area")
    assert area is not None
    most = max(0.0, area.property("contentHeight") - area.property("height"))
    area.setProperty("contentY", most)


def read_rules(running: Running, view: View) -> None:
    running.app.rules_controller.setProperty("search", "")
    running.app.rules_controller.setProperty("preset", "classic")
    running.app.open("rules")


def rules_of_saying_uno(running: Running, view: View) -> None:
    read_rules(running, view)
    running.app.rules_controller.setProperty("search", "UNO")


def rules_of_draw_four(running: Running, view: View) -> None:
    read_rules(running, view)
    name = Texts(view.language).member(Rank.WILD_FOUR)
    running.app.rules_controller.setProperty("search", re.findall(r"\w+", name)[-1])


def house_rules(running: Running, view: View) -> None:
    read_rules(running, view)
    running.app.rules_controller.setProperty("preset", "house")


def search_rules(running: Running, view: View) -> None:
    read_rules(running, view)
    running.app.rules_controller.setProperty("preset", "partners")
    running.app.rules_controller.setProperty("search", "uno")


def sources_of_rules(running: Running, view: View) -> None:
    """Show the sources of the rules, at the end of a page."""
    read_rules(running, view)
    running.app.rules_controller.setProperty("preset", "masters-short")
    running.app.rules_controller.setProperty("search", "masters")


SCENES = [
    Scene("rules", read_rules),
    Scene("rules-uno", rules_of_saying_uno, often=False),
    Scene("rules-four", rules_of_draw_four, often=False),
    Scene("rules-house", house_rules),
    Scene("rules-search", search_rules),
    Scene("rules-sources", sources_of_rules, often=False),
    Scene("settings", open_settings),
    Scene("settings-end", end_of_settings),
    Scene("settings-sound", sound_settings, often=False),
    Scene("settings-sound-no-device", settings_without_device, often=False),
    Scene("table-sound-on", table_heard, (4,), often=False),
    Scene("table-sound-muted", table_muted, (4,), often=False),
    Scene("table-sound-no-device", table_without_device, (4,), often=False),
]
