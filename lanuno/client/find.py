"""Finds the tables on this network and probes each of them. Asyncio; no Qt.

An advert is only a hint. A table can be joined once its host has answered and proved its identity,
and for as long as the host keeps answering, whatever other adverts claim. The addresses of hosts
known from earlier games are probed too, for networks where no adverts arrive.

`TableFinder` listens and probes. `TableFinder.run` reports every change, for the window.
`TableFinder.find_by_name` waits for one table. `find_tables` lists the tables found in some time.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from enum import Enum
from functools import partial
from itertools import combinations
from random import SystemRandom
from typing import Final, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lanuno.client.places import TablePlace
from lanuno.log.format.names import look_alike
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.beacon import BEACON_SECONDS
from lanuno.net.discovery.dedupe import table_key
from lanuno.net.discovery.directory import DirectoryEntry, TableDirectory
from lanuno.net.discovery.probe_limits import ADDRESS_PROBES_PER_SECOND, ProbeLimits
from lanuno.net.discovery.prober import PROBE_SECONDS, Prober, ProbeTarget
from lanuno.net.discovery.table_list import MAX_TABLES
from lanuno.net.discovery.table_listener import TableListener, listen_for_tables
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.addresses import with_port
from lanuno.store.app_state import KnownPlace

T = TypeVar("T")

REFRESH_SECONDS: Final = 0.2
"""Seconds between two checks of the adverts received."""
LISTEN_RETRY_SECONDS: Final = 3.0
"""Seconds before the next attempt to listen, after listening has failed."""
GATHER_SECONDS: Final = 0.5
"""Seconds to wait for further tables of a name after the first is announced."""
BEACON_GATHER_SECONDS: Final = BEACON_SECONDS + GATHER_SECONDS
"""The same where multicast seems to be blocked, so that every host broadcasts once."""
PROOF_SECONDS: Final = MAX_TABLES / ADDRESS_PROBES_PER_SECOND + PROBE_SECONDS
"""Seconds that hosts have to prove their identity when several tables match, so that the user can
choose: each has been probed by then, however many others are announced."""


class DiscoveredTable(Struct, frozen=True, kw_only=True):
    """An announced table, or a known host that answers at its last address."""

    key: str
    id: bytes
    """Id of the waiting room or the table, as claimed by its host."""
    fingerprint: str
    addresses: tuple[str, ...]
    port: int
    name: str = ""
    """Empty if only the host is known."""
    host: str = ""
    preset: str = ""
    seats: int = 0
    taken: int = 0
    state: TableState = TableState.OPEN
    pin: bool = False
    avatar: int | None = None
    """The colour of the host, if it is known."""
    house: int = 0
    """The added house rules, as a bit set."""
    changed: int = 0
    """Number of other settings that differ from the preset."""
    version: int = 0
    """Protocol version; 0 if unknown."""
    answered: bool = False
    """Whether the host has answered and proved its identity."""
    fault: NetFault | None = None
    """Why `answered` is False, once a probe has failed."""

    @classmethod
    def of_entry(cls, key: str, entry: DirectoryEntry) -> Self:
        """Return an announced table; `key` is the `table_key` of its advert."""
        advert, answer = entry.advert, entry.answer
        return cls(
            key=key,
            id=advert.id,
            fingerprint=advert.fp,
            addresses=advert.addresses,
            port=advert.port,
            name=advert.name,
            host=advert.host,
            preset=advert.preset,
            seats=advert.seats,
            taken=advert.taken,
            state=advert.state,
            pin=advert.pin,
            avatar=advert.avatar,
            house=advert.house,
            changed=advert.changed,
            version=advert.version,
            answered=answer.reached,
            fault=answer.fault,
        )


class DiscoveredTables(Struct, frozen=True):
    """All tables known at present."""

    tables: tuple[DiscoveredTable, ...] = ()
    fault: NetFault | None = None
    """Why no adverts can be received at all, or None."""
    listening: bool = False
    multicast_fault: NetFault | None = None
    """Why only beacons are received, or None."""


class NotFoundReason(Enum):
    """Why no table of a given name can be joined."""

    UNKNOWN = "unknown"
    """No table of this name is announced."""
    FULL = "full"
    """The table has no free seat."""
    STARTED = "started"
    """The table is being played."""


class TableNotFound(Exception):
    """No table of this name could be joined in time."""

    def __init__(
        self, name: str, reason: NotFoundReason, multicast_fault: NetFault | None = None
    ) -> None:
        """`name`: the name searched for. `multicast_fault`: why only beacons were received."""
        super().__init__(name, reason)
        self.multicast_fault = multicast_fault
        self.name = name
        self.reason = reason


class SeveralTables(Exception):
    """There are several tables of this name, and only the user can choose."""

    def __init__(self, name: str, tables: Sequence[DiscoveredTable]) -> None:
        """`name`: the name searched for. `tables`: those whose hosts proved their identity."""
        super().__init__(name)
        self.name = name
        self.tables = tuple(tables)


class TableFinder:
    """Listens for tables and probes their hosts.

    Use it as an async context manager; `run` enters it automatically.
    """

    def __init__(self, *, adapter: str | None = None, places: Sequence[KnownPlace] = ()) -> None:
        """`adapter`: the only adapter to listen on. `places`: last addresses of known hosts."""
        self.directory = TableDirectory(self._report_answer, ProbeLimits(adapter))
        """Records which hosts answer."""
        self._adapter = adapter
        self._places = tuple(places)
        self._prober = Prober(lambda _key, _there: None)
        self._listener: TableListener | None = None
        self._open = AsyncExitStack()
        self._open.push_async_callback(self._prober.close)
        self._open.push_async_callback(self.directory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    @property
    def adverts(self) -> Mapping[str, TableAdvert]:
        """The tables announced at present, by `table_key`; empty before `listen`."""
        return {} if self._listener is None else self._listener.tables

    @property
    def _by_multicast(self) -> Collection[str]:
        return () if self._listener is None else self._listener.by_multicast

    @property
    def multicast_fault(self) -> NetFault | None:
        """Why only beacons are received, or None."""
        return None if self._listener is None else self._listener.multicast_fault

    async def listen(self) -> None:
        """Start to receive adverts. Raises `NetError`."""
        listener = await listen_for_tables(adapter=self._adapter)
        self._listener = await self._open.enter_async_context(listener)

    async def run(self, emit: Callable[[DiscoveredTables], None]) -> None:
        """Report every change until cancelled, then close everything."""
        reported: DiscoveredTables | None = None

        def report(fault: NetFault | None) -> None:
            nonlocal reported
            now = DiscoveredTables(
                self._merged_tables(), fault, fault is None, self.multicast_fault
            )
            if now != reported:
                reported = now
                emit(now)

        async with self:
            while True:
                try:
                    await self.listen()
                except NetError as error:
                    await _poll(partial(report, error.fault), LISTEN_RETRY_SECONDS)
                else:
                    await _poll(partial(report, None))

    async def find_by_name(
        self,
        name: str,
        seconds: float,
        known: Collection[bytes] = (),
        *,
        watch: bool = False,
        one_only: bool = True,
        without: Collection[str] = (),
    ) -> list[TablePlace]:
        """Wait for an open table of this name, or for one of the `known` ids in any state.

        With `watch`, a table of this name that is being played counts too. Anybody may announce a
        table of the name, so all candidates are probed. Returns the places of one of the `known`
        tables, or else of the table whose host has answered and proved its identity. `without`:
        fingerprints of hosts whose tables do not count. Raises `SeveralTables`, unless `one_only`
        is False: then all of these tables are returned. If no host answers in `seconds`, raises
        `TableNotFound` without a candidate, or else the `NetError` of the first one.
        """
        if self._listener is None:
            await self.listen()
        now = asyncio.get_running_loop().time
        gathered = decided = math.inf
        entries: dict[str, DirectoryEntry] = {}

        def choose() -> list[DirectoryEntry] | None:
            nonlocal gathered, decided, entries
            entries = self._probed(
                lambda advert: (
                    advert.fp not in without
                    and (advert.id in known or _is_open_to(advert, name, watch=watch))
                )
            )
            proven = _proven(entries)
            mine = [each for each in proven if each.advert.id in known]
            if mine or not entries:
                return mine or None
            is_quick = not entries.keys().isdisjoint(self._by_multicast)
            pause = GATHER_SECONDS if is_quick else BEACON_GATHER_SECONDS
            gathered, decided = min(gathered, now() + pause), min(decided, now() + PROOF_SECONDS)
            settled = all(each.answer.settled for each in entries.values())
            if len(_distinct(proven)) > 1 or now() >= decided or (settled and now() >= gathered):
                return proven or None
            return None

        found = await _poll(choose, seconds) or _proven(entries)
        if not found:
            raise self._nothing_found(name, entries.values())
        tables = _distinct(found)
        if one_only and len(tables) > 1 and not any(each.id in known for each in tables):
            raise SeveralTables(name, tables)
        return [TablePlace.of_advert(each.advert) for each in found]

    def find_proven(self, wanted: Callable[[TableAdvert], bool]) -> list[TablePlace]:
        """Probe the wanted tables; return the places of those whose hosts answer, in any order."""
        found = [TablePlace.of_advert(each.advert) for each in _proven(self._probed(wanted))]
        return SystemRandom().sample(found, len(found))

    def _probed(self, wanted: Callable[[TableAdvert], bool]) -> dict[str, DirectoryEntry]:
        """Return the entries of the wanted tables that are announced, and probe them if due."""
        adverts = {key: advert for key, advert in self.adverts.items() if wanted(advert)}
        entries = self.directory.update(adverts)
        return {key: entries[key] for key in adverts}

    def _nothing_found(self, name: str, entries: Collection[DirectoryEntry]) -> Exception:
        """Return why no table of a name answers. `entries`: the candidates."""
        for each in entries:
            where = with_port(each.advert.addresses[0], each.advert.port)
            return NetError(each.answer.fault or NetFault.TIMEOUT, where)
        reason = _not_found_reason(self.adverts.values(), name)
        return TableNotFound(name, reason, self.multicast_fault)

    def _merged_tables(self) -> tuple[DiscoveredTable, ...]:
        found = [
            DiscoveredTable.of_entry(key, entry)
            for key, entry in self.directory.update(self.adverts).items()
            if not _has_gone(entry)
        ]
        # An advert replaces a remembered address only while the host answers there: any other
        # advert may come from anybody, also from a program that relays to the host for a while.
        answering = {
            (each.fingerprint, address, each.port)
            for each in found
            if each.answered
            for address in each.addresses
        }
        places = {
            f"place-{place.fingerprint}": place
            for place in self._places
            if (place.fingerprint, place.host, place.port) not in answering
        }
        for key, place in places.items():
            answer = self._prober.probe(
                key, ProbeTarget((place.host,), place.port, place.fingerprint)
            )
            if answer.reached:
                _add_place(found, key, place, answer.context)
        self._prober.forget_all_but(places)
        # Tables that do not answer come last, so false adverts never push real tables down.
        return tuple(sorted(found, key=lambda each: (each.fault is not None, each.name, each.key)))

    def _report_answer(self, key: str, answered: bool) -> None:
        """Make the listener keep the tables that answer when there are too many adverts."""
        if self._listener is not None:
            self._listener.host_probed(key, answered)


def tables_like_others(tables: Collection[DiscoveredTable]) -> set[str]:
    """Return the keys of those tables whose names look like that of another one."""
    pairs = combinations([each for each in tables if each.name], 2)
    alike = (pair for pair in pairs if look_alike(pair[0].name, pair[1].name))
    return {each.key for pair in alike for each in pair}


async def find_tables(
    adapter: str | None, seconds: float, is_stopped: Callable[[], bool]
) -> DiscoveredTables:
    """Find tables for `seconds`, or until `is_stopped`, and probe each of them.

    Tables that answer come first, so false adverts never push them down. Raises `NetError`.
    """
    async with TableFinder(adapter=adapter) as finder:
        await finder.listen()

        def check() -> bool | None:
            finder.directory.update(finder.adverts)
            return is_stopped() or None

        await _poll(check, seconds)
        entries = await finder.directory.settle(finder.adverts)
    found = [
        DiscoveredTable.of_entry(key, entry)
        for key, entry in entries.items()
        if not _has_gone(entry)
    ]
    found.sort(key=lambda each: (not each.answered, each.name, each.id))
    return DiscoveredTables(tuple(found), None, True, finder.multicast_fault)


async def _poll(check: Callable[[], T | None], seconds: float | None = None) -> T | None:
    """Call `check` every `REFRESH_SECONDS` until it returns a value; None after `seconds`."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                result = check()
                if result is not None:
                    return result
                await asyncio.sleep(REFRESH_SECONDS)
    except TimeoutError:
        return None


def _proven(entries: Mapping[str, DirectoryEntry]) -> list[DirectoryEntry]:
    """Return the tables whose hosts answer."""
    return [each for each in entries.values() if each.answer.reached]


def _distinct(entries: Iterable[DirectoryEntry]) -> list[DiscoveredTable]:
    """Return each table once, even if it is announced at several ports."""
    tables = {(each.advert.fp, each.advert.id): each for each in entries}
    return [DiscoveredTable.of_entry(table_key(each.advert), each) for each in tables.values()]


def _add_place(found: list[DiscoveredTable], key: str, place: KnownPlace, context: bytes) -> None:
    """Add a remembered place, which answers, to its table, or as a table of its own.

    `context`: id of the table that the host serves there.
    """
    served = (place.fingerprint, context, place.port)
    for number, each in enumerate(found):
        if each.answered and (each.fingerprint, each.id, each.port) == served:
            found[number] = replace(each, addresses=(place.host, *each.addresses))
            return
    found.append(
        DiscoveredTable(
            key=key,
            id=context,
            fingerprint=place.fingerprint,
            addresses=(place.host,),
            port=place.port,
            host=place.name,
            answered=True,
        )
    )


def _has_gone(entry: DirectoryEntry) -> bool:
    """Whether the host says that it does not host this table, or once answered and has gone.

    An advert that the host could not withdraw stays for up to another minute.
    """
    answer = entry.answer
    return answer.fault is NetFault.WRONG_TABLE or (
        bool(answer.address) and answer.fault is NetFault.UNREACHABLE
    )


def _is_open_to(advert: TableAdvert, name: str, *, watch: bool) -> bool:
    """Whether a table has this name and can still be joined, or watched."""
    if watch:
        is_open = advert.state in (TableState.OPEN, TableState.PLAYING)
    else:
        is_open = advert.state is TableState.OPEN and advert.taken < advert.seats
    return advert.name == name and is_open


def _not_found_reason(adverts: Collection[TableAdvert], name: str) -> NotFoundReason:
    states = {advert.state for advert in adverts if advert.name == name}
    if TableState.PLAYING in states:
        return NotFoundReason.STARTED
    return NotFoundReason.FULL if TableState.OPEN in states else NotFoundReason.UNKNOWN
