"""Tests of properties that show a field of a frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from lanuno.app.controllers.fields import view_property


@dataclass(frozen=True)
class View:
    name: str = ""
    seats: tuple[int, ...] = ()


class Controller(QObject):
    """A controller with one view, as the screens have them."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.view = View()

    name = view_property(str, "name", changed)
    seats = view_property(list, "seats", changed)


def test_a_property_follows_the_view(qt: QGuiApplication) -> None:
    controller = Controller()
    assert (controller.property("name"), controller.property("seats")) == ("", [])
    controller.view = View("Kitchen", (2, 0))
    assert controller.property("name") == "Kitchen"
    assert controller.property("seats") == [2, 0]
    controller.view = replace(controller.view, seats=())
    assert controller.property("seats") == []


def test_qml_is_notified_and_cannot_write(qt: QGuiApplication) -> None:
    meta = Controller().metaObject()
    for name in ("name", "seats"):
        found = meta.property(meta.indexOfProperty(name))
        assert found.notifySignal().name() == b"changed"
        assert not found.isWritable()
