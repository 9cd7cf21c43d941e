"""The adverts that are heard in one way: a bounded list.

Rule: adverts are untrusted. A computer that announces many tables displaces only its own.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.dedupe import table_key

MAX_TABLES: Final = 64

LATE_ANSWER_SECONDS: Final = 5.0
"""An older change that arrives within this time is ignored as a late answer. After this time it
counts, because the newer change may have been forged."""


def _origin(advert: TableAdvert) -> str:
    """Return an address that identifies the announced computer; for a beacon, the sender."""
    return min(advert.addresses)


class TableList:
    """The announced tables, `MAX_TABLES` at most."""

    def __init__(self) -> None:
        """Start with an empty list."""
        self._tables: dict[str, TableAdvert] = {}
        self._since: dict[str, float] = {}
        """When the current change number of each table was first received."""
        self._host_reached: dict[str, bool] = {}
        """Whether a table's host answered the last probe, by `table_key`."""

    @property
    def tables(self) -> Mapping[str, TableAdvert]:
        """All currently announced tables, by key."""
        return MappingProxyType(self._tables)

    def put(self, key: str, advert: TableAdvert) -> None:
        """Add or change an advert. At `MAX_TABLES`, a new table needs to replace an old one."""
        known = self._tables.get(key)
        if known is None and len(self._tables) >= MAX_TABLES and not self._make_room(advert):
            return
        now = time.monotonic()
        if known is None or advert.update > known.update:
            self._since[key] = now
        elif advert.update < known.update:
            if now - self._since[key] < LATE_ANSWER_SECONDS:
                return  # a late answer, queued before the table changed
            self._since[key] = now
        self._tables[key] = advert

    def drop(self, key: str) -> None:
        """Remove a table, if it is listed."""
        gone = self._tables.pop(key, None)
        if gone is not None:
            del self._since[key]
            named = table_key(gone)
            if named in self._host_reached and all(
                table_key(each) != named for each in self._tables.values()
            ):
                del self._host_reached[named]

    def host_probed(self, table: str, *, answered: bool) -> None:
        """Record the result of probing the host of a table; `table` is the `table_key`."""
        if any(table_key(each) == table for each in self._tables.values()):
            self._host_reached[table] = answered

    def _make_room(self, advert: TableAdvert) -> bool:
        """Drop a table to make room for this advert, if possible. Return whether one was dropped.

        The oldest table whose host did not answer is dropped first. Failing that, it is a table of
        the computer with the most tables, provided that it has clearly more than this advert's
        computer: its newest table, preferably one that has not been probed. So a computer that
        announces many tables displaces only its own.
        """
        answered = {
            key: self._host_reached.get(table_key(each)) for key, each in self._tables.items()
        }
        crowded, most = Counter(map(_origin, self._tables.values())).most_common(1)[0]
        mine = sum(_origin(each) == _origin(advert) for each in self._tables.values())
        crowd = [key for key, each in self._tables.items() if _origin(each) == crowded]
        silent = [key for key, answer in answered.items() if answer is False]
        if silent:
            self.drop(silent[0])
        elif most > mine + 1:
            self.drop(max(crowd, key=lambda key: (answered[key] is None, crowd.index(key))))
        else:
            return False
        return True
