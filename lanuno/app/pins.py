"""PINs that opened a table, each kept for that table alone while the program runs.

They are never written to disk. A player who resumes a table needs no PIN: the key identifies the
seat. The host's PIN is kept with the interrupted table.
"""

from __future__ import annotations

from typing import Final

MOST_PINS: Final = 32

TableKey = tuple[bytes, str]
"""The id of a table, and the fingerprint of its host's key."""


class Pins:
    """PINs by table id and host, so that no other host is sent a known PIN."""

    def __init__(self) -> None:
        """Begin without any PIN."""
        self._known: dict[TableKey, str] = {}

    def __repr__(self) -> str:
        # Without the PINs.
        return f"Pins({len(self._known)})"

    def pin_of(self, table: TableKey | None) -> str:
        """Return the remembered PIN of this table, or "" if its PIN is unknown."""
        return "" if table is None else self._known.get(table, "")

    def remember(self, table: TableKey, pin: str) -> None:
        """Store the PIN that has opened this table. Beyond `MOST_PINS` the oldest is dropped."""
        self.forget(table)
        self._known[table] = pin
        if len(self._known) > MOST_PINS:
            del self._known[next(iter(self._known))]

    def forget(self, table: TableKey) -> None:
        """Drop the PIN of this table, which it does not open any more."""
        self._known.pop(table, None)
