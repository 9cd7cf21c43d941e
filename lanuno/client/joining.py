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

from lanuno.client.events import HostReached, SessionEvent
from lanuno.client.session import SessionResult, TableSession
from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime.config import PlayedSeat, RuntimeConfig
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby.peer import Expected, Seating

CROWDED_HOST_SECONDS: Final = 4.0
"""Seconds for which a host that is busy is tried again."""
REMATCH_HOST_SECONDS: Final = 60.0
"""Seconds to wait until the host of a rematch opens its table."""
RETRY_SECONDS: Final = 0.5
"""Seconds between two tries, on average."""
REMATCH_CONNECT_SECONDS: Final = 4.0
"""Seconds for the host of a rematch to answer: another program may listen at its address now."""
CROWDED_FAULTS: Final = frozenset({NetFault.TLS, NetFault.LOST, NetFault.CLOSED, NetFault.FULL})
"""Errors from a host to which many connect at the same moment; connecting again may work."""
NOT_READY_FAULTS: Final = CROWDED_FAULTS | {
    *(NetFault.UNREACHABLE, NetFault.TIMEOUT, NetFault.REFUSED),
    *(NetFault.PROTOCOL, NetFault.IDENTITY),
}
"""Errors while a host has not opened its next table yet and another program may listen there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """Where a table is, and what is wanted there."""

    hosts: tuple[str, ...]
    port: int
    fingerprint: str | None = None
    context: bytes | None = None
    pin: str = field(default="", repr=False)
    watch: bool = False
    after: bytes | None = None
    """For a rematch: id of the table that was played; the next one of the same host is joined."""
    expected: Expected | None = None
    """For a rematch: the rules played there; other rules need a new consent of the player."""
    adapter: str | None = None
    slow_clock: bool = False
    avatar: int | None = None


HostSearch = asyncio.Task[TableAdvert | None]
"""For the next table of a host, wherever it is."""


class RouteTaken(NamedTuple):
    """How a table was reached."""

    channel: Channel
    port: int


class JoinedTable(TableSession):
    """A table of another host: connect, join or watch, play."""

    def __init__(
        self, home: Home, request: JoinRequest, emit: Callable[[SessionEvent], None]
    ) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, emit)
        self.request = request
        """Where the table is."""
        self._peer: LobbyGuest | None = None
        self._connecting: asyncio.Task[RouteTaken] | None = None

    @property
    def runtime(self) -> NodeRuntime | None:
        """What runs once the log has begun."""
        return None if self._peer is None else self._peer.runtime

    @property
    def lobby_seat(self) -> LobbySeatRuntime | None:
        """The own seat in the waiting room."""
        return None if self._peer is None else self._peer.lobby_seat

    async def run(self) -> SessionResult:
        """Connect, join or watch, play. Raises `NetError`, `StoreError`."""
        profile = load_profile(self.home)
        self.identity = profile.identity.public
        with ExitStack() as stack:
            if not self.request.watch:
                stack.enter_context(self.home.locked())
            after = self.request.after
            if after is None:
                return await self._play(profile, None)
            host_search = asyncio.create_task(self._find_next_table(after))
            try:
                return await self._play(profile, host_search)
            finally:
                host_search.cancel()
                await asyncio.wait((host_search,))

    async def _play(self, profile: Profile, host_search: HostSearch | None) -> SessionResult:
        request = self.request
        self._connecting = asyncio.ensure_future(self._connect(profile, host_search))
        try:
            channel, port = await self._connecting
        except asyncio.CancelledError:
            if not self.leave_requested:
                self._connecting.cancel()
                raise
            return SessionResult(None, None, None, leave_requested=True)
        if self.leave_requested:
            # It was given up at the moment at which it had been reached.
            await channel.close()
            return SessionResult(None, None, None, leave_requested=True)
        self.host_identity = channel.identity
        key = channel.identity
        self.emit(HostReached(channel.address, port, fingerprint(key), key, channel.context))
        records = TableRecords(self.home, private=not request.watch)
        seating = Seating(
            name=profile.name,
            lobby=channel.context,
            host=channel.identity,
            slow_clock=request.slow_clock,
            avatar=request.avatar,
            pin=request.pin,
            auto_ready=request.expected is not None,
            expected=request.expected,
        )
        setup = RuntimeConfig(
            seats=() if request.watch else (PlayedSeat(profile.identity, None),),
            records=records,
            entropy=os.urandom,
            network=None if request.watch else NetworkContext(request.adapter),
            save_metadata=None if request.watch else partial(save_metadata, self.home),
            search_seconds=0.0 if request.watch else None,
            pace=self.pace,
            awaits_rematch=True,
        )
        peer = LobbyGuest(
            channel, profile.identity, seating, setup, self.observer, watch=request.watch
        )
        self._peer = peer
        ending = await peer.run()
        await self.wait_for_leaving()
        if ending is TableEnding.LOST and peer.runtime is None and not self.leave_requested:
            raise peer.connection_error or NetError(NetFault.LOST)
        return SessionResult(
            records.path, ending, peer.refusal, self.leave_requested, peer.tournament
        )

    async def _connect(self, profile: Profile, host_search: HostSearch | None) -> RouteTaken:
        request = self.request
        rematch = host_search is not None
        hosts, port = request.hosts, request.port
        loop = asyncio.get_running_loop()
        until = loop.time() + (REMATCH_HOST_SECONDS if rematch else CROWDED_HOST_SECONDS)
        chance = SystemRandom()
        while True:
            if (
                host_search is not None
                and host_search.done()
                and (found := host_search.result()) is not None
            ):
                hosts, port = found.addresses, found.port
            try:
                async with asyncio.timeout(REMATCH_CONNECT_SECONDS if rematch else None):
                    channel = await connect(
                        hosts,
                        port,
                        profile.identity,
                        fingerprint=request.fingerprint,
                        context=request.context,
                    )
            except TimeoutError:
                if loop.time() > until:
                    raise NetError(NetFault.TIMEOUT, "the program there does not answer") from None
            except NetError as error:
                passing = NOT_READY_FAULTS if rematch else CROWDED_FAULTS
                if error.fault not in passing or loop.time() > until:
                    raise
            else:
                if channel.context != request.after:
                    if host_search is not None:
                        # Not awaited: a cancellation at an await here would lose the channel.
                        host_search.cancel()
                    return RouteTaken(channel, port)
                await channel.close()
                if loop.time() > until:
                    raise NetError(NetFault.WRONG_TABLE, "there is no next table")
            # Not all at the same moment again: many may have seen the table appear.
            await asyncio.sleep(RETRY_SECONDS * (0.5 + chance.random()))

    async def _find_next_table(self, after: bytes) -> TableAdvert | None:
        """The advert of the next table of the same host.

        Its port may have been taken in between; then that is at another one.
        """
        own = self.request.fingerprint

        def is_next_table(advert: TableAdvert) -> bool:
            return advert.fp == own and advert.id != after and advert.state is TableState.OPEN

        return await NetworkContext(self.request.adapter).find(REMATCH_HOST_SECONDS, is_next_table)

    async def _leave_table(self) -> None:
        """Leave, or stop connecting."""
        if self._peer is not None:
            await self._peer.leave()
        elif self._connecting is not None:
            self._connecting.cancel()
