"""Pictures of every screen pass the inspection. A few of them cover every pair of circumstances.

The criteria are in tests/app/pictures/inspection.py. `python -m tests.app.pictures` renders all
pictures for people to look at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtQuick import QQuickItem

from lanuno.client.languages import languages
from tests.app.pictures.gallery import SCENES
from tests.app.pictures.inspection import (
    STRIP,
    contrast,
    cut_texts,
    inspect,
    is_in_fan,
    is_interactive,
    mixed,
    overlaps,
    spots,
)
from tests.app.pictures.render import LARGE, SMALL, Picture, QmlStage, settle
from tests.app.pictures.rig import AppRig
from tests.app.pictures.scene import SIZES, Scene, View, pairwise, scenes

MOST = 62 + 5 * len(languages())
CHOSEN = pairwise(scenes())
TRANSLATED = languages()[:-1]
"""All languages but English, whose texts are short."""


@pytest.fixture(scope="module")
def rig(qt: QGuiApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppRig]:
    rig = AppRig(tmp_path_factory.mktemp("pictures") / "Ana")
    yield rig
    rig.close()


def test_the_choice_shows_every_pair_of_circumstances() -> None:
    assert len(CHOSEN) <= MOST
    assert {scene.name for scene, _ in CHOSEN} == {each.name for each in scenes() if each.often}
    seen = {
        pair
        for scene, view in CHOSEN
        for pair in combinations(
            (scene.name.partition("-")[0], view.language, view.dark, view.size), 2
        )
    }
    screens = {scene.name.partition("-")[0] for scene, _ in CHOSEN}
    for screen in screens:
        for other in (*languages(), False, True, *SIZES):
            assert (screen, other) in seen


@pytest.mark.parametrize(
    ("scene", "view"), CHOSEN, ids=[f"{scene.name}-{view.title}" for scene, view in CHOSEN]
)
def test_nothing_is_wrong_with_a_picture(rig: AppRig, scene: Scene, view: View) -> None:
    rig.arrange(scene, view)
    image = rig.photograph()
    assert (image.width(), image.height()) == view.size
    assert inspect(rig.window, image, scene) == []


def one_of_each_screen() -> list[Scene]:
    """Return the plainest scene of each screen, which has the shortest name."""
    found: dict[str, list[Scene]] = {}
    for scene in scenes():
        found.setdefault(scene.name.partition("-")[0], []).append(scene)
    return [min(each, key=lambda scene: len(scene.name)) for each in found.values()]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("scene", one_of_each_screen(), ids=lambda scene: scene.name)
def test_nothing_is_wrong_with_the_largest_text_in_the_smallest_window(
    rig: AppRig, scene: Scene, language: str
) -> None:
    rig.arrange(scene, View(language, players=scene.players[-1], text_scale=1.5))
    assert inspect(rig.window, rig.photograph(), scene) == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize(
    ("name", "players", "size"),
    [("table-claimable", 4, SMALL), ("room-pairs", 4, LARGE), ("room-pairs", 10, LARGE)],
)
def test_large_text_has_its_room(
    rig: AppRig, name: str, players: int, size: tuple[int, int], language: str
) -> None:
    scene = next(each for each in scenes() if each.name == name)
    rig.arrange(scene, View(language, size=size, players=players, text_scale=1.5))
    rig.photograph()
    seen = list(spots(rig.window))
    assert [*overlaps(seen, scene), *cut_texts(seen, rig.window, scene)] == []


@pytest.mark.parametrize("language", languages())
def test_a_long_name_leaves_the_heading_of_the_first_page_whole(rig: AppRig, language: str) -> None:
    scene = next(each for each in scenes() if each.name == "home-quiet")
    rig.arrange(scene, View(language, text_scale=1.5))
    rig.running.app.settings_controller.setProperty("playerName", "AnaMaximiliana Const")
    settle(20)
    found = list(cut_texts(list(spots(rig.window)), rig.window, scene))
    rig.running.app.settings_controller.setProperty("playerName", "Ana")
    settle(20)
    found += cut_texts(list(spots(rig.window)), rig.window, scene)
    assert [each for each in found if "AnaMaximiliana" not in each] == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("players", [4, 10])
def test_the_name_of_the_colour_keeps_clear_of_the_players(
    rig: AppRig, players: int, language: str
) -> None:
    """The name keeps its distance even with the largest text beside the open chat."""
    scene = next(each for each in scenes() if each.name == "table-chat")
    rig.arrange(scene, View(language, players=players, text_scale=1.5))
    deck = rig.window.findChild(QQuickItem, "deck")
    assert deck is not None
    badge, places = deck.findChild(QQuickItem, "colourBadge"), []
    assert badge is not None
    for colour in range(4):
        deck.setProperty("colour", colour)
        settle(20)
        places.append(badge.mapRectToScene(badge.boundingRect()))
    assert len({each.x() for each in places}) == 1
    left = deck.mapRectToScene(deck.boundingRect()).left()
    assert places[0].left() >= left + 18
    piles = deck.findChild(QQuickItem, "piles")
    assert piles is not None
    right = piles.mapRectToScene(piles.boundingRect()).right()
    assert right <= deck.mapRectToScene(deck.boundingRect()).right() - 18


@pytest.mark.parametrize(("name", "text_scale"), [("host", 1.0), ("room", 1.5)])
def test_no_drawing_is_painted_outside_of_what_scrolls(
    rig: AppRig, name: str, text_scale: float
) -> None:
    """A drawing outside the scrolled area is hidden, because Qt would paint it anywhere."""
    scene = next(each for each in scenes() if each.name == name)
    rig.arrange(scene, View("en", players=scene.players[0], text_scale=text_scale))
    area = rig.window.findChild(QQuickItem, "area")
    assert area is not None
    drawings = [each for each in area.findChildren(QQuickItem) if each.inherits("QQuickShape")]
    outside = 0
    for top in range(0, 240, 3):
        area.setProperty("contentY", float(top))
        rig.photograph()
        for each in drawings:
            place = each.mapRectToItem(area, each.property("boundingRect"))
            out = place.bottom() <= 0 or place.top() >= area.height()
            outside += out and each.parentItem().isVisible()
            assert not each.isVisible() or not out
    assert outside


def test_a_field_out_of_sight_is_not_painted_as_it_changes(rig: AppRig) -> None:
    scene = next(each for each in scenes() if each.name == "settings")
    rig.arrange(scene, View(text_scale=1.5))
    area, field = (rig.window.findChild(QQuickItem, name) for name in ("area", "name"))
    assert area is not None
    assert field is not None
    above = area.mapRectToScene(area.boundingRect()).toRect()
    above.setBottom(above.top() - 1)
    above.setTop(0)
    before = rig.photograph().copy(above)
    area.setProperty("contentY", field.mapToItem(area, QPointF(0, field.height())).y() + 20)
    rig.photograph()
    rig.running.app.settings_controller.setProperty("playerName", "Begoña")
    assert rig.photograph().copy(above) == before


def test_an_invitation_by_two_with_long_names_is_whole(rig: AppRig) -> None:
    scene = next(each for each in scenes() if each.name == "result-rematch-asked")
    rig.arrange(scene, View("es", text_scale=1.5))
    rig.photograph()
    badge = rig.window.findChild(QQuickItem, "invitation")
    assert badge is not None
    [label] = [
        each
        for each in badge.findChildren(QQuickItem)
        if each.property("text") == badge.property("text")
    ]
    assert not label.property("truncated")
    assert badge.property("text").endswith("otra vez")


def words(item: QQuickItem) -> list[str]:
    """Return all texts of an item, from back to front."""
    text = item.property("text")
    found = [text] if isinstance(text, str) and item.isVisible() else []
    for child in item.childItems():
        found += words(child)
    return found


@pytest.mark.parametrize("scene", one_of_each_screen(), ids=lambda scene: scene.name)
def test_a_change_of_language_changes_every_word_at_once(rig: AppRig, scene: Scene) -> None:
    players = scene.players[0]
    rig.arrange(scene, View("en", players=players))
    english = words(rig.window.contentItem())
    rig.arrange(scene, View("es", players=players))
    spanish = words(rig.window.contentItem())
    assert spanish != english
    settings = rig.running.app.settings_controller
    settings.setProperty("language", "en")
    settle()
    assert words(rig.window.contentItem()) == english
    settings.setProperty("language", "es")
    settle()
    assert words(rig.window.contentItem()) == spanish


def test_a_change_of_theme_and_text_size_shows_at_once(rig: AppRig) -> None:
    scene = next(each for each in scenes() if each.name == "rules")
    rig.arrange(scene, View(dark=True, text_scale=1.3))
    wanted = rig.photograph()
    rig.arrange(scene, View())
    settings = rig.running.app.settings_controller
    settings.setProperty("theme", "dark")
    settings.setProperty("textScale", 1.3)
    assert rig.photograph() == wanted


# ---- the inspection itself ------------------------------------------------------------------


def test_the_inspection_finds_what_is_wrong(qt: QGuiApplication) -> None:
    with QmlStage(Picture("faults", SCENES / "Faults.qml")) as stage:
        scene = Scene("faults", lambda _running, _view: None, outside=("Ana",))
        found = inspect(stage.view, stage.grab(), scene)
    for words_ in (
        "PushButton 'left one' and PushButton 'over it' overlap",
        "PushButton '?' is only 30 × 30",
        "'cut by its own elision' is cut short",
        "'wider than its place' is wider than its place",
        "'behind an edge' goes beyond an edge",
        "'hardly there' has a contrast of",
        "'faded' has a contrast of",
        "IconButton has no name",
        "QQuickItem is nothing to a screen reader",
        "QQuickRectangle clickable is nothing to a screen reader",
        "two cards of a fan lie 10 px apart",
        "PushButton 'out of the window' goes beyond an edge",
        "QQuickItem unheard is Slider '' to a screen reader",
    ):
        assert any(each.startswith(words_) for each in found), words_
    for right in ("from outside", "switched off", "25 px"):
        assert not any(right in each for each in found), right


def test_contrast_as_the_guidelines_count_it() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("white")) == pytest.approx(4.48, abs=0.01)
    assert contrast(QColor("red"), QColor("red")) == 1
    assert mixed(QColor("black"), QColor("white"), 0.5).name() in ("#7f7f7f", "#808080")


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", ["dealing", "choosing"])
def test_what_is_dealt_fits_with_the_largest_text(rig: AppRig, name: str, language: str) -> None:
    scene = next(each for each in scenes() if each.name == f"table-{name}")
    rig.arrange(scene, View(language, players=10, text_scale=1.5))
    assert inspect(rig.window, rig.photograph(), scene) == []


@pytest.mark.parametrize("size", [(960, 470), (640, 370)], ids=["200%", "small"])
@pytest.mark.parametrize(
    ("name", "players"),
    [("thirty", 10), ("play", 4), ("challenge", 0), ("colour", 0), ("claimable", 4), ("chat", 10)],
)
def test_one_can_play_on_a_screen_without_room_for_the_smallest_window(
    rig: AppRig, name: str, players: int, size: tuple[int, int]
) -> None:
    """Screens of 1920 x 1080 at 200 % and of 1280 x 800 at 200 %, less a panel and a title bar."""
    scene = next(each for each in scenes() if each.name == f"table-{name}")
    rig.window.setMinimumSize(QSize(*size))
    rig.arrange(scene, View("es", size=size, players=players))
    rig.photograph()
    seen = list(spots(rig.window))
    places = {each.item.objectName(): each.whole for each in seen if each.item.objectName()}
    room = QRectF(0, 0, *size)
    kept = [places[each] for each in places if each in ("piles", "me", "prompt", "uno", "draw")]
    kept += [place for each, place in places.items() if re.fullmatch(r"seat\d", each)]
    assert all(map(room.contains, kept))
    # A question or a banner pushes the hand down, so that it covers no seat and no pile.
    pushed = name in ("challenge", "colour", "claimable")
    assert pushed or room.contains(places["hand"])
    for one, other in combinations([*kept, places["hand"]], 2):
        assert not one.intersects(other)
    cards = [spot for spot in seen if is_in_fan(spot.item) and is_interactive(spot.item)]
    assert cards
    straight = [spot for spot in cards if spot.item.rotation() == 0]
    assert all(spot.seen == spot.whole or pushed for spot in straight)
    assert all(spot.seen.height() >= STRIP for spot in cards)
    assert [each for each in overlaps(seen, scene) if "cards of a fan" not in each] == []
    assert list(cut_texts(seen, rig.window, scene)) == []
