"""Renders one QML file at a time without a screen, and hears every word that Qt says meanwhile.

Here: the application object, the message trap, and the way from a file, its properties and a theme
to an image. Not here: what is worth a picture (gallery.py), or any judgement about it (the tests).
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

SMALL = (1024, 640)
LARGE = (1600, 1000)


@dataclass(frozen=True)
class Look:
    """What the window would set in the Style singleton."""

    dark: bool = False
    text_scale: float = 1.0
    motion: float = 0.0


@dataclass(frozen=True)
class Picture:
    """One QML file with its properties, to be shown at one size and in one look."""

    name: str
    source: Path
    size: tuple[int, int] = SMALL
    look: Look = Look()
    properties: Mapping[str, object] = field(default_factory=dict)
    context: Mapping[str, object] = field(default_factory=dict)
    """Context properties of the engine: what a screen knows as `app`."""
    ranks: Sequence[Mapping[str, object]] = RANKS
    """What is printed on cards, by rank."""


QT_ABOUT_ITSELF = "QUnifiedTimer::stopAnimationDriver: driver is not running"
"""What Qt warns of by itself, depending on how fast the computer is: an animation ended before the
next frame, and the request to stop Qt's own driver comes when that has stopped already."""


class Messages:
    """Everything that Qt said while this was listening, but for what it says about itself."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        del context
        if text != QT_ABOUT_ITSELF:
            self.lines.append(f"{kind.name}: {text}")

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Collect messages inside; afterwards restore the previous handler."""
        before = qInstallMessageHandler(self)
        try:
            yield
        finally:
            qInstallMessageHandler(before)


class RenderError(Exception):
    """A file did not load, or Qt had something to say about it."""


def qml(*parts: str) -> Path:
    """A file of the app's QML: `qml("Parts", "Icon.qml")`."""
    return resource("qml", *parts)


@cache
def application() -> QCoreApplication:
    """The one application object of this process, without a screen."""
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
    """Let Qt do what is due: polish, deferred deletes, and timers up to this many milliseconds."""
    clock = QElapsedTimer()
    clock.start()
    while True:
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if clock.elapsed() >= milliseconds:
            return


class QmlStage:
    """A window with one QML file in it. Use it in a `with`; leaving it raises what Qt said."""

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
        """What the window shows now."""
        settle()
        image: QImage = self.view.grabWindow()
        return image


def render(picture: Picture) -> QImage:
    """The picture. Raises `RenderError` with every Qt message if there was any."""
    with QmlStage(picture) as stage:
        return stage.grab()


def show(item: QQuickItem, **properties: Any) -> None:
    """Set properties of an item and let Qt do what follows from it."""
    for name, value in properties.items():
        item.setProperty(name, value)
    settle()
