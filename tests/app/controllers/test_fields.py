"""Tests of properties that show a field of a frozen value."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from lanuno.app.controllers.fields import view_properties, view_property


class View(Struct, frozen=True):
    name: str = ""
    seats: tuple[int, ...] = ()


class Row(Struct, frozen=True):
    text: str = ""


class Page(Struct, frozen=True):
    """A view with a field of every kind."""

    table_name: str = ""
    seats: tuple[int, ...] = ()
    badge: dict[str, str] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()


class PageController(QObject):
    """A controller with a property for each field of its view."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.view = Page("Kitchen", (2, 0), {"state": "verified"}, (Row("one"),))

    vars().update(view_properties(Page, changed))


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


def test_every_field_but_rows_is_a_property_under_its_name_in_qml(qt: QGuiApplication) -> None:
    controller = PageController()
    meta = controller.metaObject()
    names = [str(meta.property(place).name()) for place in range(1, meta.propertyCount())]
    assert names == ["tableName", "seats", "badge"]
    values = [controller.property(name) for name in names]
    assert values == ["Kitchen", [2, 0], {"state": "verified"}]
