"""Listening for tables: a live list and its changes.

Law: what is heard is untrusted. It is parsed by `txt.py`, counted, and dropped when it makes no
sense; nothing here is ever believed to be true, and nothing heard can raise.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType, TracebackType
from typing import Final, Self

from zeroconf import (
    Error,
    RecordUpdate,
    RecordUpdateListener,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

from lanuno.net.gathering import key_of
from lanuno.net.multicast import SERVICE, Multicast, Scan, open_multicast
from lanuno.net.to_the_end import to_the_end
from lanuno.net.txt import MAX_TXT, TableAdvert, decode_txt

MAX_TABLES: Final = 64
MAX_NAMES: Final = 256
"""Services remembered, whether they make sense or not."""

MAX_NAME: Final = 255
MAX_QUESTIONS: Final = 16
"""Services asked about at once."""

ANSWER: Final = 3.0
"""Seconds for an answer."""

RECHECK: Final = 10.0
"""Seconds between two looks for tables whose host has vanished."""

LATE: Final = 5.0
"""Seconds for which an answer of an older change may be late; one that comes after that is meant,
and the newer change may have been a stranger's word."""

# Types of records: RFC 1035, 3.2.2 and RFC 2782.
_TXT: Final = 16
_SRV: Final = 33


@dataclass(frozen=True, slots=True)
class Found:
    """A table has appeared."""

    key: str
    """Names this advert until it is gone."""

    advert: TableAdvert


@dataclass(frozen=True, slots=True)
class Changed:
    """A table says something else about itself."""

    key: str
    advert: TableAdvert


@dataclass(frozen=True, slots=True)
class Gone:
    """A table was withdrawn, or its host has vanished."""

    key: str
    advert: TableAdvert
    """What it last said."""


Change = Found | Changed | Gone


def _origin(advert: TableAdvert) -> str:
    """The computer that a table says it is on, which for a beacon is where it came from."""
    return min(advert.addresses)


class Heard:
    """The tables heard of, and what has changed about them since it was last told.

    However slowly it is read, it holds no more than the tables themselves: of several changes of
    one table only the last is reported. One reader at a time.
    """

    def __init__(self) -> None:
        """Nothing has been heard yet."""
        self._tables: dict[str, TableAdvert] = {}
        self._reported: dict[str, TableAdvert] = {}
        self._dirty: dict[str, None] = {}
        self._since: dict[str, float] = {}
        """When the number of its change was first heard."""
        self._asked: dict[str, bool] = {}
        """Whether the host of a table has answered, by `key_of`, where it was asked."""
        self._news = asyncio.Event()
        self._closed = False

    @property
    def tables(self) -> Mapping[str, TableAdvert]:
        """All tables heard of now, by key."""
        return MappingProxyType(self._tables)

    def put(self, key: str, advert: TableAdvert) -> None:
        """A table says this; beyond `MAX_TABLES` a new one has to be worth another's place."""
        known = self._tables.get(key)
        if known is None and len(self._tables) >= MAX_TABLES and not self._make_room(advert):
            return
        now = time.monotonic()
        if known is None or advert.update > known.update:
            self._since[key] = now
        elif advert.update < known.update:
            if now - self._since[key] < LATE:
                return  # an answer that was waiting to be sent while the table changed
            self._since[key] = now
        self._tables[key] = advert
        self._note(key)

    def drop(self, key: str) -> None:
        """A table is gone, if it was there."""
        gone = self._tables.pop(key, None)
        if gone is not None:
            del self._since[key]
            self._note(key)
            named = key_of(gone)
            if named in self._asked and all(
                key_of(each) != named for each in self._tables.values()
            ):
                del self._asked[named]

    def asked(self, table: str, *, answered: bool) -> None:
        """The host of a table (`key_of`) was asked whether it is there."""
        if any(key_of(each) == table for each in self._tables.values()):
            self._asked[table] = answered

    def _make_room(self, advert: TableAdvert) -> bool:
        """Give up another table for this one, if there is one that is worth less.

        First the oldest that was asked in vain. Then one of the computer that has most, if that
        has clearly more than this one's: the newest, of those that have not answered if there is
        one. So whoever announces many tables takes places from nobody but itself.
        """
        answered = {key: self._asked.get(key_of(each)) for key, each in self._tables.items()}
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

    def end(self) -> None:
        """Nothing more will be heard; the reader gets what is left and then the end."""
        self._closed = True
        self._news.set()

    async def next(self) -> Change:
        """The next change; `StopAsyncIteration` at the end."""
        while True:
            while self._dirty:
                key = next(iter(self._dirty))
                del self._dirty[key]
                change = self._change(key)
                if change is not None:
                    return change
            if self._closed:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()

    def _note(self, key: str) -> None:
        self._dirty[key] = None
        self._news.set()

    def _change(self, key: str) -> Change | None:
        before, now = self._reported.get(key), self._tables.get(key)
        if now is None:
            if before is None:
                return None
            del self._reported[key]
            return Gone(key, before)
        self._reported[key] = now
        if before is None:
            return Found(key, now)
        return None if before == now else Changed(key, now)


class Browser:
    """Hears of tables. Make it with `browse`; iterate over it for changes; one reader at a time."""

    def __init__(self, multicast: Multicast, service: str) -> None:
        """Take over a Multicast; use `browse` instead."""
        self._service = service
        self._multicast = multicast
        self._names: dict[str, bytes | None] = {}
        self._heard = Heard()
        self._questions: dict[str, asyncio.Task[None]] = {}
        self._recalled = 0
        self._closed = False
        zeroconf = multicast.zeroconf.zeroconf
        self._records = _Records(self)
        zeroconf.async_add_listener(self._records, None)
        self._browser = AsyncServiceBrowser(zeroconf, service, handlers=[self._on_service])
        self._recheck = asyncio.create_task(self._look_again())

    @property
    def tables(self) -> Mapping[str, TableAdvert]:
        """All tables heard of now, by key."""
        return self._heard.tables

    def asked(self, key: str, *, answered: bool) -> None:
        """A table's host was asked; `key` is that of `key_of`."""
        self._heard.asked(key, answered=answered)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Change:
        return await self._heard.next()

    async def close(self) -> None:
        """Stop listening; the iteration ends."""
        if self._closed:
            return
        self._closed = True
        await to_the_end(self._close())

    async def _close(self) -> None:
        self._heard.end()
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

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # What zeroconf tells.

    def _on_service(self, *, name: str, state_change: ServiceStateChange, **_: object) -> None:
        if state_change is ServiceStateChange.Removed:
            self._names.pop(name, None)
            self._heard.drop(name)
        elif name in self._names or (self._ours(name) and self._room_for_a_name()):
            self._names.setdefault(name, None)
            self.look(name)

    def _room_for_a_name(self) -> bool:
        """Whether there is room; the oldest name of no table makes it, so that noise is no wall."""
        if len(self._names) < MAX_NAMES:
            return True
        idle = (name for name in self._names if name not in self._heard.tables)
        name = next((each for each in idle if each not in self._questions), None)
        if name is None:
            return False
        del self._names[name]
        return True

    def heard_text(self, name: str, text: bytes) -> bool:
        """Note the newest TXT record of a service; tells whether the service is known."""
        if name not in self._names:
            return False
        self._names[name] = text if len(text) <= MAX_TXT else b""
        return True

    def look(self, name: str) -> None:
        """Read what is known about a service, and ask if that is not enough."""
        if self._closed or name not in self._names:
            return
        info = self._info(name)
        if info is None:
            return
        if info.load_from_cache(self._multicast.zeroconf.zeroconf):
            self._learn(name, info)
        elif name not in self._questions and len(self._questions) < MAX_QUESTIONS:
            self._questions[name] = asyncio.create_task(self._ask(name, info))

    # Inside.

    async def _ask(self, name: str, info: AsyncServiceInfo) -> None:
        try:
            zeroconf = self._multicast.zeroconf.zeroconf
            answered = await info.async_request(zeroconf, ANSWER * 1000)
        except (Error, OSError):
            answered = False
        finally:
            del self._questions[name]
        if name in self._names:
            if answered:
                self._learn(name, info)
            else:
                self._heard.drop(name)

    def _ours(self, name: str) -> bool:
        return name.endswith(f".{self._service}") and len(name) <= MAX_NAME

    def _info(self, name: str) -> AsyncServiceInfo | None:
        try:
            return AsyncServiceInfo(self._service, name)
        except (Error, ValueError):
            return None

    def _learn(self, name: str, info: AsyncServiceInfo) -> None:
        advert = self._advert(info, self._names[name])
        if advert is None:
            self._heard.drop(name)
        else:
            self._heard.put(name, advert)

    def _advert(self, info: AsyncServiceInfo, text: bytes | None = None) -> TableAdvert | None:
        addresses = tuple(dict.fromkeys(info.parsed_scoped_addresses()))
        return decode_txt(info.text if text is None else text, addresses, info.port or 0)

    async def _look_again(self) -> None:
        """Records expire by themselves; those of a vanished host are not renewed."""
        while True:
            await asyncio.sleep(RECHECK)
            self._recall()
            for name in tuple(self._names):
                self.look(name)

    def _recall(self) -> None:
        """Take names again for which there was no room when they were heard, if they are tables."""
        zeroconf = self._multicast.zeroconf.zeroconf
        records = zeroconf.cache.async_entries_with_name(self._service)
        aliases = (getattr(each, "alias", "") for each in records)
        names = [each for each in aliases if each and each not in self._names and self._ours(each)]
        # However many a stranger has made up, it is soon every name's turn.
        first = self._recalled % max(1, len(names))
        self._recalled = first + MAX_NAMES
        for name in (names[first:] + names[:first])[:MAX_NAMES]:
            info = self._info(name)
            if info is not None and info.load_from_cache(zeroconf) and self._advert(info):
                if not self._room_for_a_name():
                    break
                self._names[name] = None


class _Records(RecordUpdateListener):
    """Hears every record, as zeroconf's browser does not tell of one it had in its cache."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._heard: set[str] = set()

    def async_update_records(self, _zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
        for update in records:
            record = update.new
            if record.type not in (_SRV, _TXT) or record.is_expired(now):
                continue
            text = getattr(record, "text", None)
            if text is None or self._browser.heard_text(record.name, text):
                self._heard.add(record.name)

    def async_update_records_complete(self) -> None:
        heard, self._heard = self._heard, set()
        for name in heard:
            self._browser.look(name)


async def browse(
    *, adapter: str | None = None, scan: Scan | None = None, service: str = SERVICE
) -> Browser:
    """Listen on every real adapter, or on the named one.

    Raises `NetError`: `ADAPTER`, `MULTICAST`.
    """
    return Browser(await open_multicast(adapter, scan), service)
