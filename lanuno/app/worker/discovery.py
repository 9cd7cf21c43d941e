"""Looks for tables on this network and asks each of them whether it is there. Asyncio; no Qt.

What is heard is a hint: a table is shown as one to sit down at once its host has answered and has
proved who it is, and for as long as it does, whatever else is said of it by whomever. Places of
hosts known from before are asked too, for networks where nothing is heard. All of it is told as one
frozen `Sightings` whenever anything is different.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lanuno.net.asking import Asking, Target
from lanuno.net.errors import Fault, NetError
from lanuno.net.lookout import Lookout, look_out
from lanuno.net.roll_call import Called, RollCall
from lanuno.net.txt import TableAdvert, TableState
from lanuno.store.remembered import KnownPlace

LOOK: Final = 0.2
"""Seconds between two looks at what was heard."""
TRY_AGAIN: Final = 3.0
"""Seconds after which listening is tried again where it is impossible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A table that was heard of, or a host that is where it was before."""

    key: str
    id: bytes
    """Of the waiting room or the table, as its host says it."""
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
    fault: Fault | None = None
    """Why not, once it was asked in vain."""


@dataclass(frozen=True, slots=True)
class Sightings:
    """Everything that is known now."""

    tables: tuple[Sighting, ...] = ()
    fault: Fault | None = None
    """Why nothing can be heard at all."""
    listening: bool = False


class Discovery:
    """Looks until it is cancelled."""

    def __init__(
        self,
        tell: Callable[[Sightings], None],
        *,
        adapter: str | None = None,
        places: Sequence[KnownPlace] = (),
    ) -> None:
        """`tell` takes frozen values. `places`: where hosts were before."""
        self._tell = tell
        self._adapter = adapter
        self._places = tuple(places)
        self._tables = RollCall(self._note)
        self._hosts = Asking(lambda _key, _there: None)
        self._lookout: Lookout | None = None
        self._told: Sightings | None = None

    async def run(self) -> None:
        """Look; what listens is closed when this is cancelled."""
        try:
            while True:
                try:
                    lookout = await look_out(adapter=self._adapter)
                except NetError as error:
                    self._say(self._seen({}), error.fault)
                    for _ in range(round(TRY_AGAIN / LOOK)):
                        self._say(self._seen({}), error.fault)
                        await asyncio.sleep(LOOK)
                    continue
                async with lookout:
                    self._lookout = lookout
                    await self._listen(lookout)
        finally:
            await self._tables.close()
            await self._hosts.close()

    async def _listen(self, lookout: Lookout) -> None:
        while True:
            self._say(self._seen(lookout.tables), None)
            await asyncio.sleep(LOOK)

    def _say(self, tables: tuple[Sighting, ...], fault: Fault | None) -> None:
        now = Sightings(tables, fault, listening=fault is None)
        if now != self._told:
            self._told = now
            self._tell(now)

    # ---- what is there ----------------------------------------------------------------------

    def _seen(self, heard: Mapping[str, TableAdvert]) -> tuple[Sighting, ...]:
        found = [
            _sighting(key, called)
            for key, called in self._tables.hear(heard).items()
            if not _has_gone(called)
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
            answer = self._hosts.ask(key, Target((place.host,), place.port, place.fingerprint))
            if answer.there:
                found.append(
                    Sighting(
                        key=key,
                        id=answer.context,
                        fingerprint=place.fingerprint,
                        addresses=(place.host,),
                        port=place.port,
                        host=place.name,
                        answered=True,
                    )
                )
        self._hosts.forget_all_but(places)
        # However many of them there are, those that do not answer push nobody down.
        return tuple(sorted(found, key=lambda each: (each.fault is not None, each.name, each.key)))

    def _note(self, key: str, there: bool) -> None:
        """Where there are too many tables, those are kept that are there."""
        if self._lookout is not None:
            self._lookout.asked(key, there)


def _has_gone(called: Called) -> bool:
    """Whether its host has answered and does not listen any more, or for another table.

    What was said of it lasts a minute longer where nobody could say goodbye.
    """
    answer = called.answer
    return bool(answer.address) and answer.fault in (Fault.UNREACHABLE, Fault.WRONG_TABLE)


def _sighting(key: str, called: Called) -> Sighting:
    advert, answer = called.advert, called.answer
    return Sighting(
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
        answered=answer.there,
        fault=answer.fault,
    )
