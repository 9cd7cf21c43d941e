"""Card faces: a card shows the entry of its rank, including an entry for a new rank."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QGuiApplication
from PySide6.QtQuick import QQuickItem, QQuickWindow

from lanuno.app.card_faces import RANKS
from lanuno.app.controllers import application
from lanuno.app.running import Running
from lanuno.rules.cards import Colour, Rank
from tests.app.pictures.render import Picture, QmlStage, qml
from tests.app.waiting import until

PLACES = 3
"""The middle and two corners: each shows the rank and the colour of the card."""


@dataclass(frozen=True)
class Painted:
    """The texts and drawings of a card."""

    texts: list[str]
    icons: list[str]
    signs: list[int]
    """The colours of the colour signs."""
    underlined: bool
    """Whether a line below the number shows which way up the card is."""


def visible(item: QQuickItem) -> Iterator[QQuickItem]:
    """Yield an item and its visible descendants, if it is visible."""
    if item.isVisible():
        yield item
        for child in item.childItems():
            yield from visible(child)


def place(item: QQuickItem, face: QQuickItem) -> QRectF:
    """Return where an item is on its card."""
    return item.mapRectToItem(face, QRectF(0, 0, item.width(), item.height()))


def is_face(item: QQuickItem) -> bool:
    """Whether the item is a CardFace.qml."""
    return item.metaObject().className().startswith("CardFace_")


def seen(face: QQuickItem) -> Painted:
    """Return the texts and drawings of a CardFace.qml."""
    items = list(visible(face))
    texts = [each for each in items if each.inherits("QQuickText")]
    shapes = [each for each in items if each.inherits("QQuickShape")]
    assert not any(each.property("boundingRect").isEmpty() for each in shapes)
    drawings = [each.parentItem() for each in shapes]
    return Painted(
        [each.property("text") for each in texts],
        [each.property("name") for each in drawings if each.property("name") is not None],
        sorted(each.property("kind") for each in drawings if each.property("kind") is not None),
        any(child.isVisible() for each in texts for child in each.childItems()),
    )


def painted(rank: int, colour: int, ranks: Sequence[Mapping[str, object]] = RANKS) -> Painted:
    """Return the texts and drawings of a card of this rank, rendered without the app."""
    card = {"rank": rank, "colour": colour}
    source = qml("Parts", "CardFace.qml")
    with QmlStage(Picture("face", source, (96, 144), properties=card, ranks=ranks)) as stage:
        return seen(stage.root)


def expected(text: str, icon: str, wild: bool, colour: int) -> Painted:
    """Return the required texts and drawings of a card of such a rank."""
    return Painted(
        [text] * PLACES if text else [],
        [icon] * PLACES if icon else [],
        sorted([*Colour] * PLACES) if wild else [colour] * PLACES,
        underlined=text in ("6", "9"),
    )


@pytest.mark.parametrize("rank", Rank)
def test_every_rank_is_painted_from_its_entry(qt: QGuiApplication, rank: Rank) -> None:
    traits = rank.traits
    for colour in (-1,) if traits.is_wild else Colour:
        wanted = expected(traits.text, traits.icon, traits.is_wild, colour)
        assert painted(rank, colour) == wanted


@pytest.mark.parametrize("rank", [*Rank, None])
def test_nothing_touches_the_frame_or_the_text_of_a_card(
    qt: QGuiApplication, rank: Rank | None
) -> None:
    """None: a wild card whose colour was named, and that therefore has a wide frame."""
    card = {"rank": Rank.WILD, "named": 1} if rank is None else {"rank": rank}
    source = qml("Parts", "CardFace.qml")
    picture = Picture("face", source, (112, 168), properties=card, ranks=RANKS)
    with QmlStage(picture) as stage:
        face = stage.root
        items = list(visible(face))
        texts = [place(each, face) for each in items if each.inherits("QQuickText")]
        drawn = [place(each, face) for each in items if each.inherits("QQuickShape")]
        frame = 7.0 if rank is None else 3.5
        inside = QRectF(0, 0, 112, 168).adjusted(frame, frame, -frame, -frame)
        assert [each for each in texts + drawn if not inside.contains(each)] == []
        if rank is Rank.WILD_FOUR:
            assert not any(text.intersects(sign) for text in texts for sign in drawn)


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize(("text", "icon"), [("×", ""), ("+3", ""), ("", "eye"), ("", "")])
def test_a_new_rank_is_painted_from_its_entry(
    qt: QGuiApplication, text: str, icon: str, wild: bool
) -> None:
    ranks = (*RANKS, {"text": text, "icon": icon, "wild": wild})
    colour = -1 if wild else Colour.BLUE
    assert painted(len(RANKS), colour, ranks) == expected(text, icon, wild, colour)


@pytest.mark.parametrize("text", ["6", "8", "9"])
def test_the_line_below_a_number_goes_with_its_text(qt: QGuiApplication, text: str) -> None:
    ranks = (*RANKS, {"text": text, "icon": "", "wild": False})
    assert painted(len(RANKS), Colour.RED, ranks).underlined == (text != "8")


def test_a_rank_without_an_entry_is_blank(qt: QGuiApplication) -> None:
    assert painted(len(RANKS), Colour.RED) == expected("", "", False, Colour.RED)


def test_the_window_gets_the_entries_from_the_program(
    opened: Callable[[], Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cards of the first page show the text that the program gives for their rank."""
    entries = [{"text": f"r{rank}", "icon": "", "wild": False} for rank in Rank]
    monkeypatch.setattr(application, "RANKS", entries)
    window = opened().window
    assert isinstance(window, QQuickWindow)

    def faces() -> list[QQuickItem]:
        return [each for each in visible(window.contentItem()) if is_face(each)]

    until(faces)
    for face in faces():
        assert seen(face).texts == [f"r{face.property('rank')}"] * PLACES
