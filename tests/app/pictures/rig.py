"""The whole app in a temporary home, for pictures of one scene after the other.

All pictures use one app. Language, theme and size change while it runs, as they do for a person.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QMetaObject, QObject, QPoint, QSize, QUrl
from PySide6.QtGui import QImage
from PySide6.QtQml import QQmlComponent
from PySide6.QtQuick import QQuickWindow
from PySide6.QtTest import QTest

from lanuno.app.running import Running
from lanuno.app.sound_output import SILENT_VARIABLE
from lanuno.store.paths import Home
from tests.app.pictures.render import Messages, RenderError, application, qml, settle
from tests.app.pictures.scene import Scene, View

STILL = """
import QtQuick
import "{style}"
QtObject {{ Component.onCompleted: Style.still = true }}
"""


class AppRig:
    """The running app and its window."""

    def __init__(self, folder: Path) -> None:
        os.environ[SILENT_VARIABLE] = "1"
        application()
        self.running = Running(Home.at(folder), language="en")
        window = self.running.window
        assert isinstance(window, QQuickWindow)
        self.window = window
        component = QQmlComponent(self.running.engine)
        style = QUrl.fromLocalFile(str(qml("Style"))).toString()
        base = QUrl.fromLocalFile(str(qml() / "rig.qml"))
        component.setData(STILL.format(style=style).encode(), base)
        self._still = component.create()
        if self._still is None:
            raise RenderError(component.errorString())
        settings = self.running.app.settings_controller
        settings.setProperty("motion", 0.0)

    def arrange(self, scene: Scene, view: View) -> None:
        """Bring the app to a scene, and let it settle."""
        settings = self.running.app.settings_controller
        settings.setProperty("language", view.language)
        settings.setProperty("theme", "dark" if view.dark else "light")
        settings.setProperty("textScale", view.text_scale)
        settings.setProperty("avatar", 0)
        settings.setProperty("sound", True)
        settings.set_sound_heard(True)
        self.window.resize(QSize(*view.size))
        self.tidy()
        # A name typed in an earlier scene was saved when its sheet closed.
        settings.setProperty("playerName", "Ana")
        self.running.app.reset_to("home")
        settle()
        scene.arrange(self.running, view)
        # Away from everything that would show a tip.
        QTest.mouseMove(self.window, QPoint(1, 1))
        settle(20)

    def tidy(self) -> None:
        """Close everything that an earlier scene has opened above the screens."""
        app = self.running.app
        app.dismiss_all()
        app.dismissCrash()
        app.cancelLeave()
        app.invitation_controller._withdraw()
        for each in self.window.findChildren(QObject):
            if each.inherits("QQuickPopup") and each.property("opened"):
                QMetaObject.invokeMethod(each, "close")

    def photograph(self) -> QImage:
        """Return a picture of the window."""
        settle()
        image: QImage = self.window.grabWindow()
        return image

    def close(self) -> None:
        """End the app."""
        self.running.close()
        settle()


@contextmanager
def app_rig() -> Iterator[tuple[AppRig, Messages]]:
    """Make a rig for the duration of the context, and collect the messages of Qt."""
    messages = Messages()
    with tempfile.TemporaryDirectory() as folder, messages.heard():
        rig = AppRig(Path(folder) / "Ana")
        try:
            yield rig, messages
        finally:
            rig.close()
