"""How tests use the window as a person does: with the mouse, the keyboard, and what is dragged."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QMimeData,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    QUrl,
)
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtQuick import QQuickItem, QQuickWindow
from PySide6.QtTest import QTest

from tests.app.pictures.inspection import Spot, spots
from tests.app.waiting import drawn, settle, until

LEFT = Qt.MouseButton.LeftButton
FREE = Qt.KeyboardModifier.NoModifier


def _stack(window: QQuickWindow) -> QObject:
    stack = window.findChild(QObject, "stack")
    assert stack is not None
    return stack


def find(window: QQuickWindow, name: str) -> QQuickItem:
    """The item with this `objectName`, once it can be seen; of several, the first."""
    return _spot(window, name).item


def _spot(window: QQuickWindow, name: str) -> Spot:
    def all_named() -> list[Spot]:
        return [spot for spot in spots(window) if spot.item.objectName() == name]

    until(all_named)
    return all_named()[0]


def _place(window: QQuickWindow, name: str) -> QRectF:
    seen: list[QRectF] = []

    def at_rest() -> bool:
        drawn(window)
        seen.append(_spot(window, name).whole)
        return len(seen) > 1 and seen[-1] == seen[-2]

    until(at_rest)
    return seen[-1]


def click(window: QQuickWindow, name: str, *, right: float = 0.5) -> None:
    """Press and release in the middle of an item, or so far to the right.

    It is clicked where a person sees it: once it is there and has come to rest.
    """
    # While one page takes the place of another, no click counts.
    until(lambda: not _stack(window).property("busy"))
    place = _place(window, name)
    spot = QPoint(round(place.x() + place.width() * right), round(place.center().y()))
    QTest.mouseClick(window, LEFT, FREE, spot)
    settle()


def press(window: QQuickWindow, key: Qt.Key) -> None:
    """Press and release a key."""
    QTest.keyClick(window, key)
    settle()


def write(window: QQuickWindow, text: str) -> None:
    """Type this where the keyboard is."""
    for letter in text:
        QTest.keyClick(window, ord(letter))
    settle()


def dismiss(window: QQuickWindow) -> None:
    """Esc, until what lay above the page has gone."""
    press(window, Qt.Key.Key_Escape)
    overlays = [
        each for each in window.contentItem().childItems() if each.inherits("QQuickOverlay")
    ]
    until(lambda: not any(each.isVisible() for each in overlays))


def keyboard_at(window: QQuickWindow) -> str:
    """The `objectName` of what has the keyboard, or of what that is a part of."""
    item: QQuickItem | None = window.activeFocusItem()
    while item:
        if item.objectName():
            return str(item.objectName())
        item = item.parentItem()
    return ""


def drop(window: QQuickWindow, file: Path) -> None:
    """Drag a file from the desktop into the middle of the window, and let it go."""
    middle = QPoint(window.width() // 2, window.height() // 2)
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(file))])
    copy = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(middle, copy, files, LEFT, FREE)
    QCoreApplication.sendEvent(window, enter)
    QCoreApplication.sendEvent(window, QDropEvent(QPointF(middle), copy, files, LEFT, FREE))
    settle()
