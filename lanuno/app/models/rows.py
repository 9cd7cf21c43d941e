"""The one list model: rows are frozen structs, and their fields are the roles.

`show` makes the model equal to the given rows in small steps: it removes, inserts, moves and
changes only the rows that differ, so that a view can animate each step. The model does not know
where the values come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct
from PySide6.QtCore import (
    Property,
    QAbstractListModel,
    QByteArray,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)

R = TypeVar("R", bound=Struct)
Index = QModelIndex | QPersistentModelIndex
FIRST_ROLE = int(Qt.ItemDataRole.UserRole) + 1
NOWHERE = QModelIndex()


def camel(name: str) -> str:
    """Return `why_not` in the spelling of QML: `whyNot`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Rows(QAbstractListModel, Generic[R]):
    """Rows of one struct. Roles are its fields in camelCase; QML has `count` and `get(i)`."""

    countChanged = Signal()

    def __init__(self, kind: type[R], key: str, parent: QObject | None = None) -> None:
        """`key`: the field by which two rows are the same row."""
        super().__init__(parent)
        self._fields = kind.__struct_fields__
        self._key = key
        self._rows: list[R] = []

    @property
    def rows(self) -> tuple[R, ...]:
        """The rows that are shown."""
        return tuple(self._rows)

    def show(self, rows: Sequence[R]) -> None:
        """Show these rows in this order. Their keys must be unique."""
        before = len(self._rows)
        wanted = [getattr(row, self._key) for row in rows]
        keep = set(wanted)
        for place in range(before - 1, -1, -1):
            if getattr(self._rows[place], self._key) not in keep:
                self.beginRemoveRows(NOWHERE, place, place)
                del self._rows[place]
                self.endRemoveRows()
        here = [getattr(row, self._key) for row in self._rows]
        known = set(here)
        place = 0
        while place < len(wanted):
            if wanted[place] not in known:
                # Neighbouring rows are inserted in one step: the view lays them out once.
                end = place + 1
                while end < len(wanted) and wanted[end] not in known:
                    end += 1
                self.beginInsertRows(NOWHERE, place, end - 1)
                here[place:place] = wanted[place:end]
                self._rows[place:place] = rows[place:end]
                self.endInsertRows()
                place = end
                continue
            if here[place] != wanted[place]:
                source = here.index(wanted[place], place)
                self.beginMoveRows(NOWHERE, source, source, NOWHERE, place)
                here.insert(place, here.pop(source))
                self._rows.insert(place, self._rows.pop(source))
                self.endMoveRows()
            self._update(place, rows[place])
            place += 1
        if len(self._rows) != before:
            self.countChanged.emit()

    def _update(self, place: int, row: R) -> None:
        old = self._rows[place]
        if old == row:
            return
        self._rows[place] = row
        roles = [
            FIRST_ROLE + number
            for number, field in enumerate(self._fields)
            if getattr(old, field) != getattr(row, field)
        ]
        index = self.index(place)
        self.dataChanged.emit(index, index, roles)

    # ---- the interface of Qt ----------------------------------------------------------------

    def rowCount(self, parent: Index = NOWHERE) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Return a field of a row."""
        field = role - FIRST_ROLE
        if not index.isValid() or not 0 <= field < len(self._fields):
            return None
        return _plain(getattr(self._rows[index.row()], self._fields[field]))

    def roleNames(self) -> dict[int, QByteArray]:
        """Return the fields in the spelling of QML."""
        return {
            FIRST_ROLE + number: QByteArray(camel(field).encode())
            for number, field in enumerate(self._fields)
        }

    count = Property(int, rowCount, notify=countChanged)

    @Slot(int, result="QVariantMap")
    def get(self, place: int) -> dict[str, Any]:
        """Return one row as an object; an empty one if there is no such row."""
        if not 0 <= place < len(self._rows):
            return {}
        row = self._rows[place]
        return {camel(field): _plain(getattr(row, field)) for field in self._fields}


def _plain(value: object) -> object:
    """Return a value in a type that QML accepts."""
    return list(value) if isinstance(value, tuple) else value
