"""Helpers that use the window as a person does: by mouse, keyboard, and drag and drop."""

from __future__ import annotations

from collections.abc import Callable
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
    """Wait for a visible item with this `objectName`, and return the first one."""
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
    """Click into the middle of an item, once it is visible and at rest.

    `right` is the part of its width to the left of the click.
    """
    QTest.mouseClick(window, LEFT, FREE, _spot_in(window, name, right))
    settle()


def hold(window: QQuickWindow, name: str) -> Callable[[], None]:
    """Press the mouse button in the middle of an item; return a function that releases it."""
    spot = _spot_in(window, name, 0.5)
    QTest.mousePress(window, LEFT, FREE, spot)

    def release() -> None:
        QTest.mouseRelease(window, LEFT, FREE, spot)
        settle()

    return release


def _spot_in(window: QQuickWindow, name: str, right: float) -> QPoint:
    # During a page transition, the window ignores clicks.
    until(lambda: not _stack(window).property("busy"))
    place = _place(window, name)
    return QPoint(round(place.x() + place.width() * right), round(place.center().y()))


def press(window: QQuickWindow, key: Qt.Key) -> None:
    """Press and release a key."""
    QTest.keyClick(window, key)
    settle()


def write(window: QQuickWindow, text: str) -> None:
    """Type a text into the item with keyboard focus."""
    for letter in text:
        QTest.keyClick(window, ord(letter))
    settle()


def dismiss(window: QQuickWindow) -> None:
    """Press Esc, and wait until nothing lies above the page, with the pointer away from any tip."""
    QTest.mouseMove(window, QPoint(1, 1))
    press(window, Qt.Key.Key_Escape)
    overlays = [
        each for each in window.contentItem().childItems() if each.inherits("QQuickOverlay")
    ]
    until(lambda: not any(each.isVisible() for each in overlays))


def keyboard_at(window: QQuickWindow) -> str:
    """Return the `objectName` of the item with keyboard focus, or of its nearest named parent."""
    item: QQuickItem | None = window.activeFocusItem()
    while item:
        if item.objectName():
            return str(item.objectName())
        item = item.parentItem()
    return ""


def drop(window: QQuickWindow, file: Path) -> None:
    """Drag a file from the desktop into the middle of the window, and drop it."""
    middle = QPoint(window.width() // 2, window.height() // 2)
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(file))])
    copy = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(middle, copy, files, LEFT, FREE)
    QCoreApplication.sendEvent(window, enter)
    QCoreApplication.sendEvent(window, QDropEvent(QPointF(middle), copy, files, LEFT, FREE))
    settle()
