"""Tests of the list model: it changes by small steps, and QML finds its roles."""

from __future__ import annotations

import pytest
from msgspec import Struct
from PySide6.QtCore import QAbstractItemModel, QModelIndex

from lanuno.app.models.rows import Rows


class Person(Struct, frozen=True):
    id: int
    why_not: str = ""
    cards: tuple[int, ...] = ()


def test_rows_change_by_the_smallest_steps() -> None:
    rows: Rows[Person] = Rows(Person, "id")
    steps: list[tuple[object, ...]] = []
    rows.rowsInserted.connect(lambda _, *ends: steps.append(("in", *ends)))
    rows.rowsRemoved.connect(lambda _, first, _last: steps.append(("out", first)))
    rows.rowsMoved.connect(lambda _p, first, _l, _d, _to: steps.append(("move", first)))
    rows.dataChanged.connect(lambda index, _i, roles: steps.append(("new", index.row())))
    rows.show([Person(1), Person(2), Person(3)])
    assert steps == [("in", 0, 2)]
    steps.clear()
    rows.show([Person(3), Person(1, "x")])
    assert steps == [("out", 1), ("move", 1), ("new", 1)]
    steps.clear()
    rows.show([Person(3), Person(1, "x")])
    assert steps == []
    assert rows.rows == (Person(3), Person(1, "x"))


@pytest.mark.parametrize("seed", range(6))
def test_rows_follow_every_change(seed: int) -> None:
    rows: Rows[Person] = Rows(Person, "id")
    mirror: list[int] = []
    watched: QAbstractItemModel = rows

    def moved(_p: QModelIndex, first: int, _last: int, _d: QModelIndex, to: int) -> None:
        mirror.insert(to, mirror.pop(first))

    def came(_p: QModelIndex, first: int, last: int) -> None:
        mirror[first:first] = [row.id for row in rows.rows[first : last + 1]]

    rows.rowsInserted.connect(came)
    rows.rowsRemoved.connect(lambda _, first, _last: mirror.pop(first))
    rows.rowsMoved.connect(moved)
    for step in range(30):
        wanted = [(seed * 7 + step * 3 + n * 5) % 11 for n in range((seed + step) % 8)]
        wanted = list(dict.fromkeys(wanted))
        rows.show([Person(number, str(step)) for number in wanted])
        assert mirror == wanted == [row.id for row in rows.rows]
        assert watched.rowCount() == len(wanted)


def test_qml_sees_rows_by_the_names_of_its_language() -> None:
    rows: Rows[Person] = Rows(Person, "id")
    rows.show([Person(1, "because", (1, 2))])
    assert sorted(bytes(name.data()) for name in rows.roleNames().values()) == [
        b"cards",
        b"id",
        b"whyNot",
    ]
    assert rows.get(0) == {"id": 1, "whyNot": "because", "cards": [1, 2]}
    assert rows.get(1) == {}
    values = [rows.data(rows.index(0), role) for role in rows.roleNames()]
    assert values == [1, "because", [1, 2]]
