"""Renders one QML file at a time without a screen, and collects the messages of Qt.

This module makes the application object, records messages, and turns a file, its properties and a
theme into an image. It neither selects the pictures (gallery.py) nor judges them (the tests).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QElapsedTimer,
    QEvent,
    QMessageLogContext,
    QSize,
    QtMsgType,
    QUrl,
    qInstallMessageHandler,
)
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtQml import QQmlComponent
from PySide6.QtQuick import QQuickItem, QQuickView

from lanuno.app.card_faces import RANKS
from lanuno.store.resources import resource

SMALL = (800, 560)
"""The smallest window on a screen that has room for it."""
LARGE = (1600, 1000)


@dataclass(frozen=True)
class Look:
    """The values that the window would set in the Style singleton."""

    dark: bool = False
    text_scale: float = 1.0
    motion: float = 0.0


@dataclass(frozen=True)
class Picture:
    """One QML file with its properties, at one size and in one look."""

    name: str
    source: Path
    size: tuple[int, int] = SMALL
    look: Look = Look()
    properties: Mapping[str, object] = field(default_factory=dict)
    context: Mapping[str, object] = field(default_factory=dict)
    """Context properties of the engine, such as the `app` of a screen."""
    ranks: Sequence[Mapping[str, object]] = RANKS
    """The print on the cards, by rank."""


QT_ABOUT_ITSELF = (
    "QUnifiedTimer::stopAnimationDriver: driver is not running",
    "This plugin does not support propagateSizeHints()",
)
"""Warnings of Qt about itself.

The first depends on the speed of the computer: if an animation ends before the next frame, Qt stops
its own driver when that has stopped already. The second comes from the platform `offscreen`, which
has no window manager to tell a new minimum size.
"""


class Messages:
    """The messages of Qt while this object listens, except Qt's warnings about itself."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        del context
        if text not in QT_ABOUT_ITSELF:
            self.lines.append(f"{kind.name}: {text}")

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Collect messages for the duration of the context; then restore the previous handler."""
        before = qInstallMessageHandler(self)
        try:
            yield
        finally:
            qInstallMessageHandler(before)


class RenderError(Exception):
    """A file did not load, or Qt emitted a message about it."""


def qml(*parts: str) -> Path:
    """Return the path of a QML file of the app, such as `qml("Parts", "Icon.qml")`."""
    return resource("qml", *parts)


@cache
def application() -> QCoreApplication:
    """Return the only application object of this process, without a screen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_QUICK_BACKEND", "software")
    return QCoreApplication.instance() or QGuiApplication(["pictures"])


STYLE = """
import QtQuick
import "{style}"
QtObject {{
    property bool dark
    property real textScale
    property real motion
    property list<var> ranks
    readonly property color ground: Style.ground
    Component.onCompleted: {{
        Style.still = true
        Style.dark = dark
        Style.textScale = textScale
        Style.motion = motion
        CardStyle.ranks = ranks
    }}
}}
"""


def settle(milliseconds: int = 0) -> None:
    """Let Qt do its pending work: polish, deferred deletes, and timers up to this time."""
    clock = QElapsedTimer()
    clock.start()
    while True:
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if clock.elapsed() >= milliseconds:
            return


class QmlStage:
    """A window with one QML file, for a `with`; the exit raises `RenderError` on Qt messages."""

    def __init__(self, picture: Picture) -> None:
        application()
        self.picture = picture
        self.messages = Messages()
        self._listening = self.messages.heard()

    def __enter__(self) -> QmlStage:
        self._listening.__enter__()
        try:
            self._open()
        except BaseException as fault:
            self._listening.__exit__(None, None, None)
            for line in self.messages.lines:
                fault.add_note(line)
            raise
        return self

    def _open(self) -> None:
        picture = self.picture
        self.view = QQuickView()
        engine = self.view.engine()
        for name, value in picture.context.items():
            engine.rootContext().setContextProperty(name, value)
        look = picture.look
        component = QQmlComponent(engine)
        folder = QUrl.fromLocalFile(str(qml("Style"))).toString()
        base = QUrl.fromLocalFile(str(qml() / "stage.qml"))
        component.setData(STYLE.format(style=folder).encode(), base)
        self.style = component.createWithInitialProperties(
            {
                "dark": look.dark,
                "textScale": look.text_scale,
                "motion": look.motion,
                "ranks": list(picture.ranks),
            }
        )
        if self.style is None:
            raise RenderError(component.errorString())
        self.view.setColor(QColor(self.style.property("ground")))
        self.view.setResizeMode(QQuickView.ResizeMode.SizeRootObjectToView)
        self.view.resize(QSize(*picture.size))
        self.view.setInitialProperties(dict(picture.properties))
        self.view.setSource(QUrl.fromLocalFile(str(picture.source)))
        if self.view.status() is not QQuickView.Status.Ready:
            raise RenderError("; ".join(error.toString() for error in self.view.errors()))
        self.view.show()
        settle()

    def __exit__(self, *gone: object) -> None:
        try:
            self.view.close()
            self.view.deleteLater()
            del self.view, self.style
            settle()
        finally:
            self._listening.__exit__(None, None, None)
        if self.messages.lines and gone[0] is None:
            raise RenderError("\n".join(self.messages.lines))

    @property
    def root(self) -> QQuickItem:
        """The root item of the file."""
        item: QQuickItem = self.view.rootObject()
        return item

    def grab(self) -> QImage:
        """Return a picture of the window."""
        settle()
        image: QImage = self.view.grabWindow()
        return image


def render(picture: Picture) -> QImage:
    """Return the image of a picture. Raises `RenderError` with all messages of Qt, if any."""
    with QmlStage(picture) as stage:
        return stage.grab()


def show(item: QQuickItem, **properties: Any) -> None:
    """Set properties of an item, and let Qt do the work that follows."""
    for name, value in properties.items():
        item.setProperty(name, value)
    settle()
