"""Finds the tables on this network and probes each of them. Asyncio; no Qt.

An advert is only a hint. A table can be joined once its host has answered and proved its identity,
and for as long as it answers, whatever other adverts say. The addresses of hosts known from earlier
games are probed too, for networks where no adverts arrive. Every change is reported as one frozen
`DiscoveredTables`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.directory import DirectoryEntry, TableDirectory
from lanuno.net.discovery.prober import Prober, ProbeTarget
from lanuno.net.discovery.table_listener import TableListener, listen_for_tables
from lanuno.net.errors import NetError, NetFault
from lanuno.store.app_state import KnownPlace

REFRESH_SECONDS: Final = 0.2
"""Seconds between two checks of the adverts received."""
LISTEN_RETRY_SECONDS: Final = 3.0
"""Seconds after which listening is tried again where it is impossible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveredTable:
    """A table that was announced, or a known host that answers at its last address."""

    key: str
    id: bytes
    """Id of the waiting room or the table, as its host states it."""
    fingerprint: str
    addresses: tuple[str, ...]
    port: int
    name: str = ""
    """Empty where only the host is known."""
    host: str = ""
    preset: str = ""
    seats: int = 0
    taken: int = 0
    state: TableState = TableState.OPEN
    pin: bool = False
    house: int = 0
    """House rules that are added, as a set of bits."""
    changed: int = 0
    """How many other settings differ from the preset."""
    version: int = 0
    """Of the protocol; 0 if it is not known."""
    answered: bool = False
    """Whether the host has answered and has proved who it is."""
    fault: NetFault | None = None
    """Why not, once it was asked in vain."""


@dataclass(frozen=True, slots=True)
class DiscoveredTables:
    """Everything that is known now."""

    tables: tuple[DiscoveredTable, ...] = ()
    fault: NetFault | None = None
    """Why no adverts can be received at all."""
    listening: bool = False


class Discovery:
    """Finds tables until it is cancelled."""

    def __init__(
        self,
        emit: Callable[[DiscoveredTables], None],
        *,
        adapter: str | None = None,
        places: Sequence[KnownPlace] = (),
    ) -> None:
        """`emit` takes frozen values. `places`: where hosts were before."""
        self._emit = emit
        self._adapter = adapter
        self._places = tuple(places)
        self._directory = TableDirectory(self._report_answer)
        self._prober = Prober(lambda _key, _there: None)
        self._listener: TableListener | None = None
        self._reported: DiscoveredTables | None = None

    async def run(self) -> None:
        """Find tables; the listener is closed when this is cancelled."""
        try:
            while True:
                try:
                    listener = await listen_for_tables(adapter=self._adapter)
                except NetError as error:
                    self._report(self._merged_tables({}), error.fault)
                    for _ in range(round(LISTEN_RETRY_SECONDS / REFRESH_SECONDS)):
                        self._report(self._merged_tables({}), error.fault)
                        await asyncio.sleep(REFRESH_SECONDS)
                    continue
                async with listener:
                    self._listener = listener
                    await self._listen(listener)
        finally:
            await self._directory.close()
            await self._prober.close()

    async def _listen(self, listener: TableListener) -> None:
        while True:
            self._report(self._merged_tables(listener.tables), None)
            await asyncio.sleep(REFRESH_SECONDS)

    def _report(self, tables: tuple[DiscoveredTable, ...], fault: NetFault | None) -> None:
        now = DiscoveredTables(tables, fault, listening=fault is None)
        if now != self._reported:
            self._reported = now
            self._emit(now)

    # ---- what is there ----------------------------------------------------------------------

    def _merged_tables(self, adverts: Mapping[str, TableAdvert]) -> tuple[DiscoveredTable, ...]:
        found = [
            _discovered_table(key, entry)
            for key, entry in self._directory.update(adverts).items()
            if not _has_gone(entry)
        ]
        # An advert takes the place of what is remembered once it has been answered: before, it may
        # be anybody's.
        announced = {each.fingerprint for each in found if each.answered or each.fault is None}
        places = {
            f"place-{place.fingerprint}": place
            for place in self._places
            if place.fingerprint not in announced
        }
        for key, place in places.items():
            answer = self._prober.probe(
                key, ProbeTarget((place.host,), place.port, place.fingerprint)
            )
            if answer.reached:
                found.append(
                    DiscoveredTable(
                        key=key,
                        id=answer.context,
                        fingerprint=place.fingerprint,
                        addresses=(place.host,),
                        port=place.port,
                        host=place.name,
                        answered=True,
                    )
                )
        self._prober.forget_all_but(places)
        # Tables that do not answer come last, so any number of false adverts stays below.
        return tuple(sorted(found, key=lambda each: (each.fault is not None, each.name, each.key)))

    def _report_answer(self, key: str, answered: bool) -> None:
        """Let the listener keep the tables that answer, where there are too many adverts."""
        if self._listener is not None:
            self._listener.host_probed(key, answered)


def _has_gone(entry: DirectoryEntry) -> bool:
    """Whether its host has answered and does not listen any more, or for another table.

    Its advert lasts a minute longer if the host could not withdraw it.
    """
    answer = entry.answer
    return bool(answer.address) and answer.fault in (NetFault.UNREACHABLE, NetFault.WRONG_TABLE)


def _discovered_table(key: str, entry: DirectoryEntry) -> DiscoveredTable:
    advert, answer = entry.advert, entry.answer
    return DiscoveredTable(
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
        house=advert.house,
        changed=advert.changed,
        version=advert.version,
        answered=answer.reached,
        fault=answer.fault,
    )
