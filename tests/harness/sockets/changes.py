"""Follow a list of tables as it changes, for tests that wait for a change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakKeyDictionary

from lanuno.net.discovery.advert import TableAdvert

POLL_SECONDS = 0.005


class Listing(Protocol):
    """Something that lists tables: a browser of multicast DNS or of beacons."""

    @property
    def tables(self) -> Mapping[str, TableAdvert]: ...


@dataclass(frozen=True, slots=True)
class TableFound:
    """A table has appeared."""

    key: str
    advert: TableAdvert


@dataclass(frozen=True, slots=True)
class TableChanged:
    """The advert of a table has changed."""

    key: str
    advert: TableAdvert


@dataclass(frozen=True, slots=True)
class TableGone:
    """A table is no longer listed."""

    key: str
    advert: TableAdvert
    """The last advert that was reported."""


Change = TableFound | TableChanged | TableGone

_reported: WeakKeyDictionary[Listing, dict[str, TableAdvert]] = WeakKeyDictionary()
"""The tables of each list, as last reported."""


async def next_change(listing: Listing) -> Change:
    """Wait for a table that is not as last reported, and report it."""
    before = _reported.setdefault(listing, {})
    while True:
        now = listing.tables
        for key in (*before, *now):
            if before.get(key) != now.get(key):
                return _change(before, key, now.get(key))
        await asyncio.sleep(POLL_SECONDS)


def _change(before: dict[str, TableAdvert], key: str, advert: TableAdvert | None) -> Change:
    if advert is None:
        return TableGone(key, before.pop(key))
    known = key in before
    before[key] = advert
    return TableChanged(key, advert) if known else TableFound(key, advert)


async def changes(listing: Listing) -> AsyncIterator[Change]:
    """Yield the changes of a list without an end."""
    while True:
        yield await next_change(listing)
