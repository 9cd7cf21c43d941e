"""Tests of the PINs that the app remembers while it runs."""

from __future__ import annotations

from lanuno.app.pins import MOST_PINS, Pins


def test_pins_are_few_forgotten_in_order_and_shown_to_nobody() -> None:
    pins = Pins()
    tables = [(bytes([number]) * 16, "a" * 32) for number in range(MOST_PINS + 2)]
    for number, table in enumerate(tables):
        pins.remember(table, f"pin{number}")
    assert [pins.pin_of(table) for table in tables[:3]] == ["", "", "pin2"]
    pins.remember(tables[2], "new")
    assert pins.pin_of(tables[2]) == "new"
    assert pins.pin_of((tables[2][0], "b" * 32)) == ""
    assert pins.pin_of(None) == ""
    assert "new" not in repr(pins)
    pins.forget(tables[2])
    pins.forget(tables[2])
    assert pins.pin_of(tables[2]) == ""
