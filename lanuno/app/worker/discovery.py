"""Looks for tables on this network and asks each of them whether it is there. Asyncio; no Qt.

What is heard is a hint: a table is shown as one to sit down at once its host has answered and has
proved who it is, and for as long as it does, whatever else is said of it by whomever. Places of
hosts known from before are asked too, for networks where nothing is heard. All of it is told as one
frozen `Sightings` whenever anything is different.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from lanuno.cli.network import listen_for_tables
from lanuno.net.client import probe
from lanuno.net.errors import Fault, NetError
from lanuno.net.lookout import Lookout
from lanuno.net.txt import TableAdvert, TableState
from lanuno.store.remembered import KnownPlace

LOOK: Final = 0.2
"""Seconds between two looks at what was heard."""
ANSWER: Final = 3.0
"""Seconds that a host has for its answer."""
ASK_AGAIN: Final = 5.0
"""Seconds after which a host that did not answer is asked again."""
MOST_UNHEARD: Final = 64
"""Tables that are heard of no more and go on being asked."""
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


@dataclass(slots=True)
class _Asked:
    """What came of asking one host."""

    target: tuple[frozenset[str], bool]
    """Where it was asked, and whether to see if it is still there."""
    when: float
    answered: bool = False
    fault: Fault | None = None
    context: bytes = b""
    address: str = ""
    task: asyncio.Task[None] | None = field(default=None, repr=False)


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
        self._asked: dict[str, _Asked] = {}
        self._heard: dict[str, TableAdvert] = {}
        """What is shown: what is heard now, and tables that are heard of no more but answer."""
        self._lookout: Lookout | None = None
        self._told: Sightings | None = None

    async def run(self) -> None:
        """Look; what listens is closed when this is cancelled."""
        try:
            while True:
                try:
                    lookout = await listen_for_tables(self._adapter)
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
            await self._stop_asking()

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
        adverts = self._heard = dict(heard) | self._still_there(heard)
        found = [
            self._sighting(key, advert, gone=key not in heard) for key, advert in adverts.items()
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
            known = self._ask(key, (place.host,), place.port, place.fingerprint, None)
            if known.answered:
                found.append(
                    Sighting(
                        key=key,
                        id=known.context,
                        fingerprint=place.fingerprint,
                        addresses=(place.host,),
                        port=place.port,
                        host=place.name,
                        answered=True,
                    )
                )
        for key in self._asked.keys() - adverts.keys() - places.keys():
            gone = self._asked.pop(key)
            if gone.task is not None:
                gone.task.cancel()
        # However many of them there are, those that do not answer push nobody down.
        return tuple(sorted(found, key=lambda each: (each.fault is not None, each.name, each.key)))

    def _still_there(self, heard: Mapping[str, TableAdvert]) -> dict[str, TableAdvert]:
        """Tables that are heard of no more, but whose hosts go on answering.

        Anybody can say a goodbye, or something else, in somebody's name.
        """
        gone = [key for key in self._heard if key not in heard]
        left = [key for key in gone if key in self._asked and self._asked[key].answered]
        return {key: self._heard[key] for key in left[:MOST_UNHEARD]}

    def _sighting(self, key: str, advert: TableAdvert, *, gone: bool) -> Sighting:
        addresses = advert.addresses
        if gone:
            # Where it was met, and at once: mostly it is really gone.
            addresses = (self._asked[key].address,)
        known = self._ask(key, addresses, advert.port, advert.fp, advert.id, again=gone)
        first = (known.address,) if known.address else ()
        others = (each for each in advert.addresses if each != known.address)
        return Sighting(
            key=key,
            id=advert.id,
            fingerprint=advert.fp,
            addresses=(*first, *others),
            port=advert.port,
            name=advert.name,
            host=advert.host,
            preset=advert.preset,
            seats=advert.seats,
            taken=advert.taken,
            state=advert.state,
            pin=advert.pin,
            version=advert.version,
            answered=known.answered,
            fault=known.fault,
        )

    # ---- asking -----------------------------------------------------------------------------

    def _ask(
        self,
        key: str,
        hosts: tuple[str, ...],
        port: int,
        fingerprint: str,
        context: bytes | None,
        *,
        again: bool = False,
    ) -> _Asked:
        """What is known of a host; it is asked if that is not enough, or `again` and again."""
        now = asyncio.get_running_loop().time()
        target = (frozenset(hosts), again)
        known = self._asked.get(key)
        if known is None:
            known = self._asked[key] = _Asked(target, now)
        elif known.task is not None:
            # Never broken off for another word: a stranger could go on saying new ones.
            return known
        elif known.target != target:
            known.target = target
            if known.answered and known.address in hosts and not again:
                return known
        elif (context is not None and known.answered and not again) or (
            now - known.when < ASK_AGAIN
        ):
            return known
        known.when = now
        if known.address and known.address not in hosts:
            hosts = (known.address, *hosts)
        asking = self._wait_for(key, known, hosts, port, fingerprint, context)
        known.task = asyncio.get_running_loop().create_task(asking)
        return known

    async def _wait_for(
        self,
        key: str,
        known: _Asked,
        hosts: tuple[str, ...],
        port: int,
        fingerprint: str,
        context: bytes | None,
    ) -> None:
        try:
            async with asyncio.timeout(ANSWER):
                met = await probe(hosts, port, fingerprint=fingerprint, context=context)
        except NetError as error:
            known.answered, known.fault = False, error.fault
        except TimeoutError:
            known.answered, known.fault = False, Fault.TIMEOUT
        else:
            known.answered, known.fault = True, None
            known.context, known.address = met.host.context, met.address
        known.task = None
        if self._lookout is not None:
            self._lookout.asked(key, answered=known.answered)

    async def _stop_asking(self) -> None:
        tasks = [known.task for known in self._asked.values() if known.task is not None]
        self._asked.clear()
        for task in tasks:
            task.cancel()
        if tasks:
            with suppress(asyncio.CancelledError):
                await asyncio.wait(tasks)
