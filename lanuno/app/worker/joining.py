"""A seat, or a place to watch, at a table of another computer. Asyncio; no Qt."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from random import SystemRandom
from typing import Final, NamedTuple

from lanuno.app.worker.follower import Reached, Told
from lanuno.app.worker.sitting import Left, Sitting
from lanuno.dealing.identity import fingerprint
from lanuno.net.channel import Channel
from lanuno.net.client import connect
from lanuno.net.endings import Ending
from lanuno.net.errors import Fault, NetError
from lanuno.net.member_driver import MemberDriver
from lanuno.net.setup import PlayedSeat, Setup
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_peer import TablePeer
from lanuno.net.txt import TableAdvert, TableState
from lanuno.net.waiting_seat import WaitingSeat
from lanuno.store.arrangements import save_arrangements
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby_peer import Expected, Seating

AT_THE_DOOR: Final = 4.0
"""Seconds for which a door that is crowded just now is tried again."""
REMATCH: Final = 60.0
"""Seconds for which a host is waited for who plays again."""
RETRY: Final = 0.5
"""Seconds between two tries, on average."""
TRY: Final = 4.0
"""Seconds that a host who plays again has for its answer: somebody else may listen there now."""
CROWDED: Final = frozenset({Fault.TLS, Fault.LOST, Fault.CLOSED, Fault.FULL})
"""What a host with a crowd at its door answers to those who come at the same moment."""
NOT_YET: Final = CROWDED | {
    *(Fault.UNREACHABLE, Fault.TIMEOUT, Fault.REFUSED),
    *(Fault.PROTOCOL, Fault.IDENTITY),
}
"""The same where a host has not opened its next table yet; somebody else may be there meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Where a table is, and what is wanted there."""

    hosts: tuple[str, ...]
    port: int
    fingerprint: str | None = None
    context: bytes | None = None
    pin: str = field(default="", repr=False)
    watch: bool = False
    after: bytes | None = None
    """For a rematch: the table that was played; the next one of the same host is meant."""
    expected: Expected | None = None
    """The same: what was played there; under other rules its player has not agreed to play."""
    adapter: str | None = None
    slow_clock: bool = False
    avatar: int | None = None


Looking = asyncio.Task[TableAdvert | None]
"""For the next table of a host, wherever it is."""


class Way(NamedTuple):
    """How a table was reached."""

    channel: Channel
    port: int


class JoinedTable(Sitting):
    """One visit, from the first packet on."""

    def __init__(self, home: Home, visit: Visit, tell: Callable[[Told], None]) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, tell)
        self.visit = visit
        """Where the table is."""
        self._peer: TablePeer | None = None
        self._reaching: asyncio.Task[Way] | None = None

    @property
    def driver(self) -> MemberDriver | None:
        """What runs once the log has begun."""
        return None if self._peer is None else self._peer.driver

    @property
    def waiting(self) -> WaitingSeat | None:
        """The own seat in the waiting room."""
        return None if self._peer is None else self._peer.waiting

    async def run(self) -> Left:
        """Find the way, sit down or watch, play. Raises `NetError`, `StoreError`."""
        profile = load_profile(self.home)
        self.identity = profile.identity.public
        with ExitStack() as stack:
            if not self.visit.watch:
                stack.enter_context(self.home.locked())
            after = self.visit.after
            if after is None:
                return await self._stay(profile, None)
            looking = asyncio.create_task(self._find_next(after))
            try:
                return await self._stay(profile, looking)
            finally:
                looking.cancel()
                await asyncio.wait((looking,))

    async def _stay(self, profile: Profile, looking: Looking | None) -> Left:
        visit = self.visit
        self._reaching = asyncio.ensure_future(self._reach(profile, looking))
        try:
            channel, port = await self._reaching
        except asyncio.CancelledError:
            if not self.asked:
                self._reaching.cancel()
                raise
            return Left(None, None, None, asked=True)
        if self.asked:
            # It was given up at the moment at which it had been reached.
            await channel.close()
            return Left(None, None, None, asked=True)
        self.host_identity = channel.identity
        key = channel.identity
        self.tell(Reached(channel.address, port, fingerprint(key), key, channel.context))
        records = TableRecords(self.home, private=not visit.watch)
        seating = Seating(
            name=profile.name,
            lobby=channel.context,
            host=channel.identity,
            slow_clock=visit.slow_clock,
            avatar=visit.avatar,
            pin=visit.pin,
            auto_ready=visit.expected is not None,
            expected=visit.expected,
        )
        setup = Setup(
            seats=() if visit.watch else (PlayedSeat(profile.identity, None),),
            records=records,
            entropy=os.urandom,
            surroundings=None if visit.watch else Surroundings(visit.adapter),
            arrange=None if visit.watch else partial(save_arrangements, self.home),
            patience=0.0 if visit.watch else None,
            pace=self.pace,
            stays=True,
        )
        peer = TablePeer(
            channel, profile.identity, seating, setup, self.follower, watch=visit.watch
        )
        self._peer = peer
        ending = await peer.run()
        await self.end_leaving()
        if ending is Ending.LOST and peer.driver is None and not self.asked:
            raise peer.broken or NetError(Fault.LOST)
        return Left(records.path, ending, peer.refusal, self.asked, peer.tournament)

    async def _reach(self, profile: Profile, looking: Looking | None) -> Way:
        visit = self.visit
        rematch = looking is not None
        hosts, port = visit.hosts, visit.port
        loop = asyncio.get_running_loop()
        until = loop.time() + (REMATCH if rematch else AT_THE_DOOR)
        chance = SystemRandom()
        while True:
            if looking is not None and looking.done() and (found := looking.result()) is not None:
                hosts, port = found.addresses, found.port
            try:
                async with asyncio.timeout(TRY if rematch else None):
                    channel = await connect(
                        hosts,
                        port,
                        profile.identity,
                        fingerprint=visit.fingerprint,
                        context=visit.context,
                    )
            except TimeoutError:
                if loop.time() > until:
                    raise NetError(Fault.TIMEOUT, "whoever is there says nothing") from None
            except NetError as error:
                passing = NOT_YET if rematch else CROWDED
                if error.fault not in passing or loop.time() > until:
                    raise
            else:
                if channel.context != visit.after:
                    if looking is not None:
                        # Not waited for: whoever gives up now would lose the channel.
                        looking.cancel()
                    return Way(channel, port)
                await channel.close()
                if loop.time() > until:
                    raise NetError(Fault.WRONG_TABLE, "there is no next table")
            # Not all at the same moment again: many may have seen the table appear.
            await asyncio.sleep(RETRY * (0.5 + chance.random()))

    async def _find_next(self, after: bytes) -> TableAdvert | None:
        """Where the same host says, and proves, that its next table is.

        Its port may have been taken in between; then that is at another one.
        """
        own = self.visit.fingerprint

        def wanted(said: TableAdvert) -> bool:
            return said.fp == own and said.id != after and said.state is TableState.OPEN

        return await Surroundings(self.visit.adapter).find(REMATCH, wanted)

    async def go(self) -> None:
        """Leave, or break off the way there."""
        if self._peer is not None:
            await self._peer.leave()
        elif self._reaching is not None:
            self._reaching.cancel()
