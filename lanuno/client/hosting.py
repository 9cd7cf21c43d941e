"""A table that this computer hosts for others, with a person at it. Asyncio; no Qt."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import SystemRandom
from typing import Final

from lanuno.bots.sensible import SensiblePlayer
from lanuno.client.events import LobbyOpened, SessionEvent
from lanuno.client.practice import BOT_NAMES
from lanuno.client.session import SessionResult, TableSession
from lanuno.dealing.identity import Identity
from lanuno.log.format.bodies import MAX_SEATS
from lanuno.log.format.genesis import LOBBY_ID_BYTES, look_alike
from lanuno.net.discovery.invitations import invitations
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError
from lanuno.net.runtime.config import OwnSeat, RuntimeConfig
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.rules.ruleset import Ruleset
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby.host import TableOffer
from lanuno.table.lobby.readiness import RulesRefusal
from lanuno.table.messages import LobbyState

MOST_BOTS: Final = MAX_SEATS - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest:
    """What table is opened, and how."""

    name: str
    ruleset: Ruleset
    seats: int
    bots: int = 0
    pin: str = field(default="", repr=False)
    spectators: bool = True
    rounds: int | None = None
    kept: tuple[bytes, ...] = ()
    """For a rematch: the identities in the order of their seats, b"" for a bot."""
    expected: tuple[str, ...] = ()
    """For a rematch: names of the people who may come, which no bot takes."""
    again: bool = False
    """Whether this is a rematch: the player here has said yes already."""
    adapter: str | None = None
    port: int | None = None
    """The only port to listen on; None for the default one or the next that is free."""
    likely_port: int | None = None
    """The port to try first, because others look for the table there."""
    slow_clock: bool = False
    avatar: int | None = None


class HostedTable(TableSession):
    """A table of this computer, from its listening socket to its end."""

    hosts = True

    def __init__(
        self, home: Home, request: HostRequest, emit: Callable[[SessionEvent], None]
    ) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, self._forward)
        self._emit = emit
        self._request = request
        self._host: LobbyHost | None = None
        self._seeds = tuple(os.urandom(32) for _ in range(MOST_BOTS))
        """Private keys for all bots that may take a seat."""
        self._used_seeds = 0
        self._taken_names: tuple[str, ...] = ()
        """Names that are taken in the waiting room."""

    @property
    def runtime(self) -> NodeRuntime | None:
        """What runs once the log has begun."""
        return None if self._host is None else self._host.runtime

    @property
    def lobby_seat(self) -> LobbySeatRuntime | None:
        """The host's own seat has no connection: see `ready` and `say`."""
        return None if self._host is None else self._host.own_seat

    async def run(self) -> SessionResult:
        """Listen, wait for players, play. Raises `NetError`, `StoreError`."""
        request, profile = self._request, load_profile(self.home)
        self.identity = self.host_identity = profile.identity.public
        with self.home.locked():
            me = OwnSeat(
                profile.identity,
                profile.name,
                None,
                slow_clock=request.slow_clock,
                avatar=request.avatar,
                auto_ready=request.again,
            )
            offer = TableOffer(
                os.urandom(LOBBY_ID_BYTES),
                request.name,
                request.ruleset,
                request.seats,
                profile.identity.public,
                request.pin,
                spectators=request.spectators,
                rounds=request.rounds,
                kept=request.kept,
            )
            records = TableRecords(self.home, bots=self._seeds)
            network = NetworkContext(request.adapter)
            setup = RuntimeConfig(
                seats=(),
                records=records,
                entropy=os.urandom,
                network=network,
                pace=self.pace,
                save_metadata=partial(save_metadata, self.home),
                awaits_rematch=True,
            )
            host = LobbyHost(offer, (me,), setup, self.observer)
            try:
                await self._open(host, network, profile)
                await host.wait()
                await self.wait_for_leaving()
            finally:
                await host.close()
        return SessionResult(
            records.path, host.ending, host.refusal, self.leave_requested, host.tournament
        )

    async def _open(self, host: LobbyHost, network: NetworkContext, profile: Profile) -> None:
        request, offer = self._request, host.lobby.offer
        if request.likely_port is not None and request.port is None:
            with suppress(NetError):
                host.listener = await network.open_listener(
                    profile.identity, offer.lobby, host.serve, port=request.likely_port
                )
        if host.listener is None:
            host.listener = await network.open_listener(
                profile.identity, offer.lobby, host.serve, port=request.port
            )
        self._host = host
        host.begin()
        for _ in range(min(request.bots, request.seats - 1)):
            await self.add_bot()
        self.emit(LobbyOpened(*invitations(await host.announce(network))))
        if self.leave_requested:
            host.stop()

    def _forward(self, event: SessionEvent) -> None:
        if isinstance(event, LobbyState):
            self._taken_names = tuple(seat.name for seat in event.seats)
        self._emit(event)

    # ---- the waiting room -------------------------------------------------------------------

    async def add_bot(self) -> bool:
        """Let a bot of this computer sit down."""
        host = self._host
        if host is None or self._used_seeds >= len(self._seeds):
            return False
        name = next(
            (
                name
                for name in BOT_NAMES
                if not any(
                    look_alike(name, taken)
                    for taken in (*self._taken_names, *self._request.expected)
                )
            ),
            None,
        )
        if name is None:
            return False
        bot = Identity.from_seed(self._seeds[self._used_seeds])
        self._used_seeds += 1
        return host.seat_bot(OwnSeat(bot, name, SensiblePlayer(SystemRandom()), bot=True))

    async def kick(self, seat: int) -> bool:
        """Send a player or a bot away."""
        return self._host is not None and self._host.free_seat(seat)

    async def send_spectator_away(self, identity: bytes) -> None:
        """Send a spectator away, in the waiting room or at the table."""
        if self._host is not None:
            self._host.kick_spectator(identity)

    async def allow_spectators(self, allowed: bool) -> None:
        """Allow spectators, or send all away and admit none."""
        if self._host is not None:
            self._host.allow_spectators(allowed)

    async def begin(self) -> bool:
        """Begin with those who are here; the host is ready with that."""
        host = self._host
        if host is None or host.runtime is not None:
            return False
        host.ready(True)
        host.start()
        return True

    async def change_rules(self, ruleset: Ruleset, seats: int) -> RulesRefusal | None:
        """Play by other rules, with this number of seats."""
        return (
            RulesRefusal.STARTED if self._host is None else self._host.change_rules(ruleset, seats)
        )

    async def move_up(self, seat: int) -> bool:
        """Let this seat and the one before change places."""
        if self._host is None:
            return False
        self._host.move_up(seat)
        return True

    async def _leave_table(self) -> None:
        """Close the waiting room; a table that plays goes on under another host, if it can."""
        if self._host is not None:
            await self._host.leave()
