"""Table metadata: its repr does not show the PIN."""

from __future__ import annotations

from lanuno.table.metadata import TableMetadata


def test_the_repr_of_table_metadata_does_not_show_the_pin() -> None:
    shown = repr(TableMetadata(name="Kitchen", pin="pin 4711"))
    assert shown.startswith("TableMetadata")
    assert "Kitchen" in shown
    assert "pin 4711" not in shown
