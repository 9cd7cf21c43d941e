"""Lines with the values of the window's controllers: each property and row that QML can bind to.

A line identifies properties and rows by their position, so that it does not depend on their names.
`names` lists the names separately. No test here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QAbstractListModel, QObject

LEFT_OUT = frozenset(
    {
        *("version", "settings.adapters", "settings.dataFolder", "settings.soundState"),
        *("settings.languages", "settings.languageNames", "ranks"),
        *("settings.dark", "settings.avatar", "settings.volume", "objectName", "home.adapters"),
    }
)
"""Properties that depend on the computer, its files, chance, or the existing languages or ranks."""


class QmlValues:
    """The values of an object and of the objects among its properties, and their changes."""

    def __init__(self, root: QObject) -> None:
        self._objects = dict(_objects(root, ""))
        self._before: dict[str, str] = {}
        self.keys: dict[str, set[tuple[str, ...]]] = {}
        """The keys of the dictionaries among a property's values, by the property's name."""

    def changes(self) -> Iterator[str]:
        """Yield a line for each value that has changed since the last call, or is `gone`."""
        now = dict(self._values())
        for place, value in now.items():
            if self._before.get(place) != value:
                yield f"{place} {value}"
        for place in self._before:
            if place not in now:
                yield f"{place} gone"
        self._before = now

    def names(self) -> Iterator[str]:
        """Yield the name of every position."""
        for place, (called, shown) in self._objects.items():
            if isinstance(shown, QAbstractListModel):
                yield f"{place} {called}: rows of {' '.join(_roles(shown))}"
                continue
            for number, name in _properties(shown):
                yield f"{place}{number} {called}{name}"

    def _values(self) -> Iterator[tuple[str, str]]:
        for place, (called, shown) in self._objects.items():
            if isinstance(shown, QAbstractListModel):
                yield from self._rows(place, called, shown)
                continue
            for number, name in _properties(shown):
                value = shown.property(name)
                if not isinstance(value, QObject) and f"{called}{name}" not in LEFT_OUT:
                    yield f"{place}{number}", self._text(f"{called}{name}", value)

    def _rows(
        self, place: str, called: str, model: QAbstractListModel
    ) -> Iterator[tuple[str, str]]:
        roles = sorted(model.roleNames().items())
        yield f"{place} rows", str(model.rowCount())
        for row in range(model.rowCount()):
            index = model.index(row)
            values = (
                self._text(f"{called}.{bytes(name.data()).decode()}", model.data(index, role))
                for role, name in roles
            )
            yield f"{place}[{row}]", ", ".join(values)

    def _text(self, called: str, value: object) -> str:
        match value:
            case None | bool() | int() | float() | str():
                return repr(value)
            case list() | tuple():
                return f"[{', '.join(self._text(called, each) for each in value)}]"
            case dict():
                self.keys.setdefault(called, set()).add(tuple(value))
                inside = (self._text(f"{called}.{key}", each) for key, each in value.items())
                return f"{{{', '.join(inside)}}}"
        raise TypeError(f"no line for {called}: {type(value).__name__}")


def _objects(
    shown: QObject, place: str, called: str = ""
) -> Iterator[tuple[str, tuple[str, QObject]]]:
    yield place, (called, shown)
    if isinstance(shown, QAbstractListModel):
        return
    for number, name in _properties(shown):
        value = shown.property(name)
        if isinstance(value, QAbstractListModel):
            yield f"{place}{number}", (f"{called}{name}", value)
        elif isinstance(value, QObject):
            yield from _objects(value, f"{place}{number}.", f"{called}{name}.")


def _properties(shown: QObject) -> Iterable[tuple[int, str]]:
    """Return the properties in the order of declaration, without the first one, which is Qt's."""
    kind = shown.metaObject()
    return [
        (number, str(kind.property(number).name())) for number in range(1, kind.propertyCount())
    ]


def _roles(model: QAbstractListModel) -> list[str]:
    return [bytes(name.data()).decode() for _, name in sorted(model.roleNames().items())]
