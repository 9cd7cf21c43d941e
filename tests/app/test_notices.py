"""Notices disappear by themselves, but only after enough time to read them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtQuick import QQuickItem, QQuickWindow
from PySide6.QtTest import QTest

from lanuno.app.running import Running
from tests.app.user_input import find
from tests.app.waiting import settle, until

SHORT = "The report was copied."
LONG = "The connection to the table was lost for too long. " * 3


@pytest.fixture
def window(running: Running, window: QQuickWindow) -> QQuickWindow:
    """The window, with its notices in view of the player."""
    QTest.mouseMove(window, QPoint(5, window.height() - 5))
    notices(running).setProperty("watched", True)
    return window


def notices(running: Running) -> QQuickItem:
    assert running.window is not None
    found = running.window.findChild(QQuickItem, "notices")
    assert found is not None
    return found


def timer(running: Running, number: int = 0) -> QObject:
    """Return the timer that removes this notice, by default the first."""
    panels = [each for each in notices(running).childItems() if each.property("time") is not None]
    inside: list[QObject] = panels[number].children()
    return next(each for each in inside if each.objectName() == "noticeTimer")


def texts(running: Running) -> list[str]:
    return [row.text for row in running.app._notices.rows]


def test_a_line_goes_after_the_time_it_takes_to_read_it(
    running: Running, window: QQuickWindow
) -> None:
    for text, kind in ((SHORT, "good"), (LONG, "info"), (LONG + "!", "error")):
        running.app.notice(text, kind)
    settle()
    times = [timer(running, number).property("interval") for number in range(3)]
    assert times[0] == 3000 + 60 * len(SHORT)
    assert times[1] == 3000 + 60 * len(LONG)
    assert times[2] == 3 * (3000 + 60 * len(LONG + "!"))
    assert all(timer(running, number).property("running") for number in range(3))


@pytest.mark.parametrize("kind", ["info", "good", "error"])
def test_a_notice_disappears_by_itself(running: Running, window: QQuickWindow, kind: str) -> None:
    column = notices(running)
    column.setProperty("lasts", 1)
    column.setProperty("perCharacter", 0)
    running.app.notice(SHORT, kind)
    until(lambda: texts(running) == [])


def test_a_notice_stays_while_the_pointer_is_over_it(
    running: Running, window: QQuickWindow
) -> None:
    running.app.notice(LONG, "info")
    settle()
    column = notices(running)
    QTest.mouseMove(window, QPoint(512, round(column.y()) + 20))
    until(lambda: not timer(running).property("running"))
    QTest.mouseMove(window, QPoint(5, window.height() - 5))
    until(lambda: timer(running).property("running"))


def test_a_notice_stays_while_it_has_the_focus(running: Running, window: QQuickWindow) -> None:
    running.app.notice(LONG, "error")
    settle()
    find(window, "dismiss").forceActiveFocus(Qt.FocusReason.TabFocusReason)
    assert not timer(running).property("running")
    QTest.keyClick(window, Qt.Key.Key_Return)
    until(lambda: texts(running) == [])


def test_a_notice_stays_while_the_window_is_not_watched(
    running: Running, window: QQuickWindow
) -> None:
    running.app.notice(SHORT, "good")
    settle()
    notices(running).setProperty("watched", False)
    assert not timer(running).property("running")
    notices(running).setProperty("watched", True)
    assert timer(running).property("running")
