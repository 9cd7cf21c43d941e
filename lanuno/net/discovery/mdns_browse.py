"""Find tables by multicast DNS: a live list.

Rule: adverts are untrusted. `advert.py` parses them; this module counts them, and drops invalid
ones. No received record can raise an exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final, Self

from zeroconf import (
    Error,
    RecordUpdate,
    RecordUpdateListener,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

from lanuno.net.discovery.advert import MAX_TXT, TableAdvert, decode_txt
from lanuno.net.discovery.multicast import SERVICE, Multicast, open_multicast
from lanuno.net.discovery.table_list import TableList
from lanuno.net.transport.to_completion import to_completion

MAX_NAMES: Final = 256
"""Limit of services remembered, whether or not their adverts are valid."""

MAX_NAME: Final = 255
MAX_QUESTIONS: Final = 16
"""Limit of simultaneous queries about services."""

RESOLVE_SECONDS: Final = 3.0
"""Time limit for the answer to a query about a service."""

RECHECK_SECONDS: Final = 10.0
"""Interval between two checks for tables whose host has vanished."""

# Record types: RFC 1035, 3.2.2 and RFC 2782.
_TXT: Final = 16
_SRV: Final = 33


class Browser:
    """Receives adverts. Create it with `browse`."""

    def __init__(self, multicast: Multicast, service: str) -> None:
        """Take ownership of a `Multicast`. Use `browse` instead."""
        self._service = service
        self._multicast = multicast
        self._names: dict[str, bytes | None] = {}
        self._list = TableList()
        self._questions: dict[str, asyncio.Task[None]] = {}
        self._retry_from = 0
        self._closed = False
        zeroconf = multicast.zeroconf.zeroconf
        self._records = _Records(self)
        zeroconf.async_add_listener(self._records, None)
        self._browser = AsyncServiceBrowser(zeroconf, service, handlers=[self._on_service])
        self._recheck = asyncio.create_task(self._recheck_names())

    @property
    def tables(self) -> Mapping[str, TableAdvert]:
        """All currently announced tables, by key."""
        return self._list.tables

    def host_probed(self, key: str, *, answered: bool) -> None:
        """Record the result of probing a table's host; `key` is the `table_key`."""
        self._list.host_probed(key, answered=answered)

    async def close(self) -> None:
        """Stop listening."""
        if self._closed:
            return
        self._closed = True
        await to_completion(self._close())

    async def _close(self) -> None:
        tasks = [self._recheck, *self._questions.values()]
        for task in tasks:
            task.cancel()
        try:
            await asyncio.wait(tasks)
            self._multicast.zeroconf.zeroconf.async_remove_listener(self._records)
            await self._browser.async_cancel()
        finally:
            await self._multicast.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # Callbacks of zeroconf.

    def _on_service(self, *, name: str, state_change: ServiceStateChange, **_: object) -> None:
        if state_change is ServiceStateChange.Removed:
            self._names.pop(name, None)
            self._list.drop(name)
        elif name in self._names or (self._is_ours(name) and self._make_room_for_name()):
            self._names.setdefault(name, None)
            self.resolve(name)

    def _make_room_for_name(self) -> bool:
        """Make room for a name if necessary, by dropping the oldest one without a table.

        Return whether there is room.
        """
        if len(self._names) < MAX_NAMES:
            return True
        idle = (name for name in self._names if name not in self._list.tables)
        name = next((each for each in idle if each not in self._questions), None)
        if name is None:
            return False
        del self._names[name]
        return True

    def note_text(self, name: str, text: bytes) -> bool:
        """Store the newest TXT record of a service. Return whether the service is known."""
        if name not in self._names:
            return False
        self._names[name] = text if len(text) <= MAX_TXT else b""
        return True

    def resolve(self, name: str) -> None:
        """Read the cached records of a service, and query for them if they are incomplete."""
        if self._closed or name not in self._names:
            return
        info = self._info(name)
        if info is None:
            return
        if info.load_from_cache(self._multicast.zeroconf.zeroconf):
            self._list_table(name, info)
        elif name not in self._questions and len(self._questions) < MAX_QUESTIONS:
            self._questions[name] = asyncio.create_task(self._ask(name, info))

    # Helpers.

    async def _ask(self, name: str, info: AsyncServiceInfo) -> None:
        try:
            zeroconf = self._multicast.zeroconf.zeroconf
            answered = await info.async_request(zeroconf, RESOLVE_SECONDS * 1000)
        except (Error, OSError):
            answered = False
        finally:
            del self._questions[name]
        if name in self._names:
            if answered:
                self._list_table(name, info)
            else:
                self._list.drop(name)

    def _is_ours(self, name: str) -> bool:
        return name.endswith(f".{self._service}") and len(name) <= MAX_NAME

    def _info(self, name: str) -> AsyncServiceInfo | None:
        try:
            return AsyncServiceInfo(self._service, name)
        except (Error, ValueError):
            return None

    def _list_table(self, name: str, info: AsyncServiceInfo) -> None:
        advert = self._advert(info, self._names[name])
        if advert is None:
            self._list.drop(name)
        else:
            self._list.put(name, advert)

    def _advert(self, info: AsyncServiceInfo, text: bytes | None = None) -> TableAdvert | None:
        addresses = tuple(dict.fromkeys(info.parsed_scoped_addresses()))
        return decode_txt(info.text if text is None else text, addresses, info.port or 0)

    async def _recheck_names(self) -> None:
        """Resolve all names repeatedly. The cached records of a vanished host expire."""
        while True:
            await asyncio.sleep(RECHECK_SECONDS)
            self._retry_names()
            for name in tuple(self._names):
                self.resolve(name)

    def _retry_names(self) -> None:
        """Add names of valid adverts for which there was no room when they arrived."""
        zeroconf = self._multicast.zeroconf.zeroconf
        records = zeroconf.cache.async_entries_with_name(self._service)
        aliases = (getattr(each, "alias", "") for each in records)
        names = [
            each for each in aliases if each and each not in self._names and self._is_ours(each)
        ]
        # Names take turns, so that made-up names of a stranger cannot block the rest.
        first = self._retry_from % max(1, len(names))
        self._retry_from = first + MAX_NAMES
        for name in (names[first:] + names[:first])[:MAX_NAMES]:
            info = self._info(name)
            if info is not None and info.load_from_cache(zeroconf) and self._advert(info):
                if not self._make_room_for_name():
                    break
                self._names[name] = None


class _Records(RecordUpdateListener):
    """Receives every record, because zeroconf's browser does not report records in its cache."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._changed: set[str] = set()

    def async_update_records(self, _zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
        for update in records:
            record = update.new
            if record.type not in (_SRV, _TXT) or record.is_expired(now):
                continue
            text = getattr(record, "text", None)
            if text is None or self._browser.note_text(record.name, text):
                self._changed.add(record.name)

    def async_update_records_complete(self) -> None:
        changed, self._changed = self._changed, set()
        for name in changed:
            self._browser.resolve(name)


async def browse(*, adapter: str | None = None, service: str = SERVICE) -> Browser:
    """Listen on every physical adapter, or on the named one.

    Raises `NetError`: `ADAPTER`, `MULTICAST`.
    """
    return Browser(await open_multicast(adapter), service)
