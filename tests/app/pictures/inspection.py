"""Inspects a window for overlaps, small targets, cut text, low contrast and missing names.

Every finding is a sentence. The exceptions for a scene belong to the scene. This module neither
draws nor arranges anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QColor, QImage
from PySide6.QtQuick import QQuickItem, QQuickWindow

from tests.app.pictures.scene import Scene

CONTRAST = 4.5
TARGET = 44
STRIP = 24
"""Pixels that an overlapped card in a fan must show."""

INTERACTIVE = ("QQuickAbstractButton", "QQuickComboBox", "QQuickSpinBox", "QQuickSlider")
FIELDS = ("QQuickTextInput", "QQuickTextEdit")
QUESTIONS = ("challenge", "colours", "notice", "shown", "vote")
"""The `objectName`s of the panels that may cover the middle of the table."""
SEEN_FROM = 0.05
"""The least opacity of a visible item."""
SAMPLES = 24
"""Points across and down at which the background of a text is sampled."""


@dataclass(frozen=True)
class Spot:
    """A visible item, with its place in the window."""

    item: QQuickItem
    seen: QRectF
    """The part of the item that clipping leaves, in window coordinates."""
    whole: QRectF
    opacity: float
    above: tuple[QQuickItem, ...]
    """The ancestors of the item, the nearest last."""


def spots(window: QQuickWindow) -> Iterator[Spot]:
    """Yield all visible items; while a sheet is open, only its items."""
    content = window.contentItem()
    everything = QRectF(0, 0, content.width(), content.height())
    sheets = [each for each in content.childItems() if _is(each, "QQuickOverlay")]
    raised = [
        popup
        for overlay in sheets
        if overlay.isVisible()
        for popup in overlay.childItems()
        if popup.isVisible() and _is(popup, "QQuickPopupItem")
    ]
    # A tip covers no more than a part of what is below it.
    tips = [
        popup
        for popup in raised
        if (owner := popup.parent()) is not None and _is(owner, "QQuickToolTip")
    ]
    open_sheets = [popup for popup in raised if popup not in tips]
    for root in (*(open_sheets[-1:] or [content]), *tips):
        yield from _spots(root, everything, 1.0, ())


def _spots(
    item: QQuickItem, clip: QRectF, opacity: float, above: tuple[QQuickItem, ...]
) -> Iterator[Spot]:
    opacity *= item.opacity()
    if not item.isVisible() or opacity < SEEN_FROM:
        return
    whole = item.mapRectToScene(QRectF(0, 0, item.width(), item.height()))
    seen = whole.intersected(clip)
    if item.width() > 0 and item.height() > 0 and not seen.isEmpty():
        yield Spot(item, seen, whole, opacity, above)
    if item.clip():
        clip = seen
        if clip.isEmpty():
            return
    for child in item.childItems():
        yield from _spots(child, clip, opacity, (*above, item))


def _is(item: QObject, *kinds: str) -> bool:
    """Whether an item is of one of these classes of Qt.

    This does not use the meta-object. QML makes one for each of many items and frees it with them.
    PySide may keep its Python object, and use that for the next item at the same address.
    """
    return any(item.inherits(kind) for kind in kinds)


def is_interactive(item: QQuickItem) -> bool:
    """Whether the item reacts to a click or a key."""
    if not item.isEnabled():
        return False
    if _is(item, *INTERACTIVE):
        return True
    if _is(item, *FIELDS):
        return not item.property("readOnly") and any(
            _is(item, kind) for kind in ("QQuickTextField", "QQuickTextArea")
        )
    taps = any(
        _is(child, "QQuickTapHandler") and bool(child.property("enabled"))
        for child in item.children()
    )
    return taps or any(_takes_clicks(child) for child in item.childItems())


def _takes_clicks(item: QQuickItem) -> bool:
    """Whether the item is an area for clicks on its parent."""
    return (
        _is(item, "QQuickMouseArea")
        and item.isVisible()
        and item.isEnabled()
        and item.property("acceptedButtons") != Qt.MouseButton.NoButton
    )


def is_in_fan(item: QQuickItem) -> bool:
    """Whether the item is a card that others may overlap."""
    return item.property("slot") is not None and item.property("rank") is not None


def _is_card_face(item: QQuickItem) -> bool:
    """Whether the item is the print on a card."""
    return item.property("symbol") is not None and item.property("suit") is not None


def accessible_text(item: QObject) -> str:
    """Return the description of an item for a finding."""
    kind = item.metaObject().className().partition("_QML")[0]
    words = item.property("text") or item.property("title") or item.property("label") or ""
    name = item.objectName()
    return " ".join(part for part in (kind, name, repr(str(words))[:60] if words else "") if part)


def inspect(window: QQuickWindow, image: QImage, scene: Scene) -> list[str]:
    """Return all findings about the window, whose picture is `image`."""
    seen = list(spots(window))
    return [
        *overlaps(seen, scene),
        *small_targets(seen),
        *cut_texts(seen, window, scene),
        *faint_texts(seen, image),
        *nameless(seen),
        *not_accessible(window),
    ]


# ---- interactive items ----------------------------------------------------------------------


def overlaps(seen: list[Spot], scene: Scene) -> Iterator[str]:
    """Yield findings about interactive items that overlap."""
    spots_ = [spot for spot in seen if is_interactive(spot.item)]
    for place, one in enumerate(spots_):
        for other in spots_[place + 1 :]:
            if one.item in other.above or other.item in one.above:
                continue
            if {one.item.objectName(), other.item.objectName()} & set(scene.overlapping):
                continue
            both = one.seen.intersected(other.seen)
            if both.width() <= 2 or both.height() <= 2:
                continue
            if is_in_fan(one.item) and is_in_fan(other.item):
                if _strip(one, other) < STRIP - 1:
                    yield f"two cards of a fan lie {_strip(one, other):.0f} px apart"
                continue
            yield f"{accessible_text(one.item)} and {accessible_text(other.item)} overlap"


def _strip(one: Spot, other: Spot) -> float:
    apart: QPointF = one.whole.center() - other.whole.center()
    return max(abs(apart.x()), abs(apart.y()))


def small_targets(seen: list[Spot]) -> Iterator[str]:
    """Yield findings about interactive items that are too small."""
    for spot in seen:
        if is_interactive(spot.item) and not is_in_fan(spot.item) and spot.seen == spot.whole:
            size = (spot.whole.width(), spot.whole.height())
            if min(size) < TARGET - 0.5:
                yield f"{accessible_text(spot.item)} is only {size[0]:.0f} × {size[1]:.0f}"


# ---- texts ----------------------------------------------------------------------------------


def texts(seen: list[Spot]) -> Iterator[Spot]:
    """Yield all texts except those on cards."""
    for spot in seen:
        if not _is(spot.item, "QQuickText") or not str(spot.item.property("text")).strip():
            continue
        if not any(_is_card_face(up) for up in spot.above):
            yield spot


def cut_texts(seen: list[Spot], window: QQuickWindow, scene: Scene) -> Iterator[str]:
    """Yield findings about cut texts, except texts from outside, and cut interactive items."""
    for spot in texts(seen):
        item, words = spot.item, str(spot.item.property("text"))
        if any(name in words for name in scene.outside):
            continue
        painted = float(item.property("paintedWidth"))
        if item.property("truncated"):
            yield f"{words!r} is cut short"
        elif painted > item.width() + 1.5 and item.rotation() == 0 and item.scale() == 1:
            yield f"{words!r} is wider than its place"
        elif spot.seen.width() < min(painted, spot.whole.width()) - 1.5:
            yield f"{words!r} goes beyond an edge"
    content = window.contentItem()
    for spot in seen:
        if is_interactive(spot.item):
            out = spot.whole.left() < -1 or spot.whole.right() > content.width() + 1
            if out:
                yield f"{accessible_text(spot.item)} goes beyond an edge"


def faint_texts(seen: list[Spot], image: QImage) -> Iterator[str]:
    """Yield findings about texts with a low contrast to their background."""
    questions = [spot for spot in seen if spot.item.objectName() in QUESTIONS]
    for spot in texts(seen):
        if not spot.item.isEnabled():
            continue
        if any(
            each.item not in spot.above and each.whole.contains(spot.whole) for each in questions
        ):
            continue  # below the question, and not visible
        behind = ground(image, spot.seen)
        ink = QColor(spot.item.property("color"))
        share = ink.alphaF() * spot.opacity
        shown = mixed(behind, ink, share)
        found = contrast(shown, behind)
        if found < CONTRAST:
            words = str(spot.item.property("text"))
            yield f"{words!r} has a contrast of {found:.1f} ({shown.name()} on {behind.name()})"


def ground(image: QImage, place: QRectF) -> QColor:
    """Return the most frequent colour of a place; shades of a gradient count as one."""
    inside = place.toAlignedRect().adjusted(-1, -1, 1, 1).intersected(image.rect())
    across = max(1, inside.width() // SAMPLES)
    down = max(1, inside.height() // SAMPLES)
    shades: dict[int, list[int]] = defaultdict(list)
    for x in range(inside.left(), inside.right() + 1, across):
        for y in range(inside.top(), inside.bottom() + 1, down):
            shades[image.pixel(x, y) & 0xF0F0F0].append(image.pixel(x, y))
    return QColor(max(shades.values(), key=len)[0])


def mixed(below: QColor, above: QColor, share: float) -> QColor:
    """Return a colour with another one painted over it; `share` is the opacity of the upper one."""
    return QColor.fromRgbF(
        *(
            low + (high - low) * share
            for low, high in (
                (below.redF(), above.redF()),
                (below.greenF(), above.greenF()),
                (below.blueF(), above.blueF()),
            )
        )
    )


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of two colours as WCAG 2 defines it, from 1 (none) to 21."""
    lights = sorted((_light(one), _light(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _light(colour: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return (
        0.2126 * linear(colour.redF())
        + 0.7152 * linear(colour.greenF())
        + 0.0722 * linear(colour.blueF())
    )


# ---- screen readers -------------------------------------------------------------------------


def nameless(seen: list[Spot]) -> Iterator[str]:
    """Yield findings about focusable or interactive items that a screen reader cannot name."""
    for spot in seen:
        item = spot.item
        if not item.isEnabled() or not (item.activeFocusOnTab() or is_interactive(item)):
            continue
        interface: Any = QAccessible.queryAccessibleInterface(item)
        if interface is None:
            yield f"{accessible_text(item)} is nothing to a screen reader"
            continue
        if interface.role() in (QAccessible.Role.NoRole, QAccessible.Role.Client):
            yield f"{accessible_text(item)} has no role"
        if not interface.text(QAccessible.Text.Name).strip():
            yield f"{accessible_text(item)} has no name"


def not_accessible(window: QQuickWindow) -> Iterator[str]:
    """Yield findings about the tree of the window that a screen reader sees."""
    root: Any = QAccessible.queryAccessibleInterface(window)
    if root is None:
        yield "the window is nothing to a screen reader"
        return
    if not root.childCount():
        yield "the window is empty to a screen reader"
    below = [root]
    while below:
        interface = below.pop()
        children = (interface.child(number) for number in range(interface.childCount()))
        below += [child for child in children if child is not None]
        state, role = interface.state(), interface.role()
        if interface is root or not state.focusable or state.invisible:
            continue
        name = interface.text(QAccessible.Text.Name).strip()
        if not name or role in (QAccessible.Role.NoRole, QAccessible.Role.Client):
            item = interface.object()
            what = "something" if item is None else accessible_text(item)
            yield f"{what} is {role.name} {name!r} to a screen reader"
