"""A catalogue file adds a language: every text of the window is translated and fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible, QGuiApplication

from lanuno.client.languages import languages
from tests.app.pictures import scenes_names
from tests.app.pictures.inspection import inspect, spots, texts
from tests.app.pictures.rig import AppRig
from tests.app.pictures.scene import Scene, View, scenes
from tests.harness.pseudo_language import CODE, not_in_brackets, resources_with_it

# Texts typed by people, contents of the scenes, and names that are the same in every language.
NAMES = (
    *("Ana", "Begoña", "Bruno", "Carlos", "Carmen", "David", "Dídac", "Elena", "Eva", "Felix"),
    *("Fermín", "Greta", "Hugo", "Iñaki", "Jo", "Maximiliano Alejandro", "evil", "فاطمة الزهراء"),
    *("Maximiliano de la Fuente y Ortega", "Mesa de Ana", "Viernes noche", "Domingo en casa"),
    *("Mesa", "Kitchen table", "kitchen.lanuno", "lanuno://…", "LanUNO", "UNO"),
)
CHAT = (
    *("Vale", "¿Jugamos con las reglas de casa? <b>Yo sí</b>", "¿Puedo mirar?", "<b>hi</b>"),
    *("Hello everybody!", "May I play the next one?"),
    "I have a very good hand this time, honestly: you will see that in a moment.",
)
# Languages are named in themselves; Qt provides "and" and the names of months.
OTHERS = ("English", "Español", "Ctrl Q", "Esc", "Tab", "kaj", "Sep")
KNOWN = sorted((*NAMES, *scenes_names.NAMES, *CHAT, *OTHERS), key=len, reverse=True)


@pytest.fixture(scope="module")
def rig(qt: QGuiApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppRig]:
    with resources_with_it(tmp_path_factory.mktemp("resources")):
        assert CODE in languages()
        rig = AppRig(tmp_path_factory.mktemp("pseudo") / "Ana")
        yield rig
        rig.running.app.settings_controller.setProperty("language", "en")
        rig.close()


def said(rig: AppRig) -> Iterator[str]:
    """Yield every text on the screen, and every name and description for a screen reader."""
    seen = list(spots(rig.window))
    for spot in texts(seen):
        yield str(spot.item.property("text"))
    for spot in seen:
        interface = QAccessible.queryAccessibleInterface(spot.item)
        if interface is not None:
            yield interface.text(QAccessible.Text.Name)
            yield interface.text(QAccessible.Text.Description)


def untranslated(rig: AppRig) -> list[str]:
    """Return the texts with words of a language other than the pseudo-language."""
    folder = str(rig.running.app.settings_controller.property("dataFolder"))
    found = set()
    for text in said(rig):
        rest = not_in_brackets(text.replace(folder, ""))
        for known in KNOWN:
            rest = re.sub(rf"(?<!\w){re.escape(known)}(?!\w)", "", rest)
        rest = re.sub("<[^<>]*>", "", rest)
        if re.search(r"[^\W\d_]{2}", rest):
            found.add(text)
    return sorted(found)


@pytest.mark.parametrize(
    "scene", [each for each in scenes() if each.often], ids=lambda scene: scene.name
)
def test_every_text_is_translated_and_has_its_room(rig: AppRig, scene: Scene) -> None:
    rig.arrange(scene, View(CODE, players=scene.players[-1]))
    image = rig.photograph()
    assert untranslated(rig) == []
    assert inspect(rig.window, image, scene) == []


def test_a_text_of_another_language_is_seen(rig: AppRig, tmp_path: Path) -> None:
    """The test finds a text that was never marked for translation."""
    scene = next(each for each in scenes() if each.name == "home-quiet")
    rig.arrange(scene, View(CODE))
    rig.photograph()
    marked = next(texts(list(spots(rig.window))))
    before = marked.item.property("text")
    marked.item.setProperty("text", "Forgotten")
    assert untranslated(rig) == ["Forgotten"]
    marked.item.setProperty("text", before)
