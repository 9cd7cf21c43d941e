"""PINs that opened a table, each for that table alone, for as long as the program runs.

Nothing here writes them to the disk. A player who resumes a table needs no PIN: the key identifies
the seat. The host's own PIN is kept with the interrupted table.
"""

from __future__ import annotations

from typing import Final

MOST_PINS: Final = 32

TableKey = tuple[bytes, str]
"""Id of a table, and the fingerprint of its host's key."""


class Pins:
    """By table id and host. Nothing here says which PIN a table of another host could have."""

    def __init__(self) -> None:
        """None is known."""
        self._known: dict[TableKey, str] = {}

    def __repr__(self) -> str:
        # Without the PINs.
        return f"Pins({len(self._known)})"

    def pin_of(self, table: TableKey | None) -> str:
        """The PIN that opened this table; "" if none is known."""
        return "" if table is None else self._known.get(table, "")

    def remember(self, table: TableKey, pin: str) -> None:
        """This one has opened it. Of too many the oldest is forgotten."""
        self.forget(table)
        self._known[table] = pin
        if len(self._known) > MOST_PINS:
            del self._known[next(iter(self._known))]

    def forget(self, table: TableKey) -> None:
        """It opens it no more."""
        self._known.pop(table, None)
