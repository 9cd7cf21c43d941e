"""A table opened on this computer for others to find, at which a person sits. Asyncio; no Qt."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import SystemRandom
from typing import Final

from lanuno.app.worker.follower import Opened, Told
from lanuno.app.worker.practice import BOT_NAMES
from lanuno.app.worker.sitting import Left, Sitting
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.bodies import MAX_SEATS
from lanuno.log.genesis import LOBBY_ID_BYTES, look_alike
from lanuno.net.errors import NetError
from lanuno.net.invitations import invitations
from lanuno.net.member_driver import MemberDriver
from lanuno.net.setup import OwnSeat, Setup
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_host import TableHost
from lanuno.net.waiting_seat import WaitingSeat
from lanuno.rules.ruleset import Ruleset
from lanuno.store.arrangements import save_arrangements
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby import TableOffer
from lanuno.table.messages import LobbyState
from lanuno.table.readiness import RulesRefusal

MOST_BOTS: Final = MAX_SEATS - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
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
    """Port to listen on, and no other; None for the usual one or the next that is free."""
    likely_port: int | None = None
    """Port to try first, because others look for the table there."""
    slow_clock: bool = False
    avatar: int | None = None


class HostedTable(Sitting):
    """A table of this computer's, from its open door to its end."""

    hosts = True

    def __init__(self, home: Home, plan: Opening, tell: Callable[[Told], None]) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, self._heard)
        self._told = tell
        self._plan = plan
        self._host: TableHost | None = None
        self._seeds = tuple(os.urandom(32) for _ in range(MOST_BOTS))
        """Private keys of bots, whether they sit or not."""
        self._used = 0
        self._names: tuple[str, ...] = ()
        """Names that are taken in the waiting room."""

    @property
    def driver(self) -> MemberDriver | None:
        """What runs once the log has begun."""
        return None if self._host is None else self._host.driver

    @property
    def waiting(self) -> WaitingSeat | None:
        """The host's own seat has no connection: see `ready` and `say`."""
        return None if self._host is None else self._host.own_seat

    async def run(self) -> Left:
        """Open the door, wait, play. Raises `NetError`, `StoreError`."""
        plan, profile = self._plan, load_profile(self.home)
        self.identity = self.host_identity = profile.identity.public
        with self.home.locked():
            me = OwnSeat(
                profile.identity,
                profile.name,
                None,
                slow_clock=plan.slow_clock,
                avatar=plan.avatar,
                auto_ready=plan.again,
            )
            offer = TableOffer(
                os.urandom(LOBBY_ID_BYTES),
                plan.name,
                plan.ruleset,
                plan.seats,
                profile.identity.public,
                plan.pin,
                spectators=plan.spectators,
                rounds=plan.rounds,
                kept=plan.kept,
            )
            records = TableRecords(self.home, bots=self._seeds)
            around = Surroundings(plan.adapter)
            setup = Setup(
                seats=(),
                records=records,
                entropy=os.urandom,
                surroundings=around,
                pace=self.pace,
                arrange=partial(save_arrangements, self.home),
                stays=True,
            )
            host = TableHost(offer, (me,), setup, self.follower)
            try:
                await self._open(host, around, profile)
                await host.wait()
                await self.end_leaving()
            finally:
                await host.close()
        return Left(records.path, host.ending, host.refusal, self.asked, host.tournament)

    async def _open(self, host: TableHost, around: Surroundings, profile: Profile) -> None:
        plan, offer = self._plan, host.lobby.offer
        if plan.likely_port is not None and plan.port is None:
            with suppress(NetError):
                host.server = await around.open_door(
                    profile.identity, offer.lobby, host.serve, port=plan.likely_port
                )
        if host.server is None:
            host.server = await around.open_door(
                profile.identity, offer.lobby, host.serve, port=plan.port
            )
        self._host = host
        host.begin()
        for _ in range(min(plan.bots, plan.seats - 1)):
            await self.add_bot()
        self.tell(Opened(*invitations(await host.announce(around))))
        if self.asked:
            host.stop()

    def _heard(self, told: Told) -> None:
        if isinstance(told, LobbyState):
            self._names = tuple(seat.name for seat in told.seats)
        self._told(told)

    # ---- the waiting room -------------------------------------------------------------------

    async def add_bot(self) -> bool:
        """Let a bot of this computer sit down."""
        host = self._host
        if host is None or self._used >= len(self._seeds):
            return False
        name = next(
            (
                name
                for name in BOT_NAMES
                if not any(
                    look_alike(name, taken) for taken in (*self._names, *self._plan.expected)
                )
            ),
            None,
        )
        if name is None:
            return False
        bot = Identity.from_seed(self._seeds[self._used])
        self._used += 1
        return host.seat_bot(OwnSeat(bot, name, SensiblePlayer(SystemRandom()), bot=True))

    async def kick(self, seat: int) -> bool:
        """Send somebody away, or a bot."""
        return self._host is not None and self._host.send_away(seat)

    async def send_spectator_away(self, identity: bytes) -> None:
        """Somebody who watches, in the waiting room or at the table."""
        if self._host is not None:
            self._host.send_spectator_away(identity)

    async def allow_spectators(self, allowed: bool) -> None:
        """The same for everybody who watches, and will."""
        if self._host is not None:
            self._host.allow_spectators(allowed)

    async def begin(self) -> bool:
        """Begin with those who are here; the host is ready with that."""
        host = self._host
        if host is None or host.driver is not None:
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

    async def go(self) -> None:
        """Close the waiting room; a table that plays goes on under another host, if it can."""
        if self._host is not None:
            await self._host.leave()
