"""A table against bots on this computer alone: the same protocol, and no network at all.

There is no advert and no socket. Host, player and bots exchange the same messages as at any other
table, and the game is stored and can be verified like any other.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import SystemRandom
from typing import Final

from lanuno.bots.sensible import SensiblePlayer
from lanuno.client.events import SessionEvent
from lanuno.client.session import SessionResult, TableSession
from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import LOBBY_ID_BYTES, look_alike
from lanuno.net.runtime.config import OwnSeat, RuntimeConfig
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.rules.ruleset import Ruleset
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby.host import TableOffer

BOT_NAMES: Final = ("Ada", "Blas", "Cleo", "Dario", "Elsa", "Fito", "Gala", "Hugo", "Inés", "Jon")
"""One more than there can be bots: the player may have one of them."""

STOP_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class PracticeRequest:
    """What is to be played."""

    ruleset: Ruleset
    bots: int
    name: str
    """Of the table."""
    slow_clock: bool = False
    avatar: int | None = None


def bot_names(player: str, number: int) -> list[str]:
    """Names for this number of bots, none of them the player's."""
    free = [name for name in BOT_NAMES if not look_alike(name, player)]
    return free[:number]


class PracticeTable(TableSession):
    """A table of one person and bots."""

    hosts = True

    def __init__(
        self, home: Home, request: PracticeRequest, emit: Callable[[SessionEvent], None]
    ) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, emit)
        self._request = request
        self._host: LobbyHost | None = None

    @property
    def runtime(self) -> NodeRuntime | None:
        """What runs once the log has begun."""
        return None if self._host is None else self._host.runtime

    @property
    def lobby_seat(self) -> LobbySeatRuntime | None:
        """Nobody waits here."""
        return None

    async def run(self) -> SessionResult:
        """Play until the match is over or the player leaves. Raises `StoreError`."""
        profile = load_profile(self.home)
        self.identity = self.host_identity = profile.identity.public
        seeds = tuple(os.urandom(32) for _ in range(self._request.bots))
        with self.home.locked():
            chance = SystemRandom()
            own = [
                OwnSeat(
                    profile.identity,
                    profile.name,
                    None,
                    slow_clock=self._request.slow_clock,
                    avatar=self._request.avatar,
                ),
                *(
                    OwnSeat(Identity.from_seed(seed), name, SensiblePlayer(chance), bot=True)
                    for seed, name in zip(
                        seeds, bot_names(profile.name, self._request.bots), strict=True
                    )
                ),
            ]
            offer = TableOffer(
                os.urandom(LOBBY_ID_BYTES),
                self._request.name,
                self._request.ruleset,
                len(own),
                profile.identity.public,
                spectators=False,
            )
            records = TableRecords(self.home, bots=seeds)
            setup = RuntimeConfig(
                seats=(),
                records=records,
                entropy=os.urandom,
                pace=self.pace,
                save_metadata=partial(save_metadata, self.home),
            )
            host = self._host = LobbyHost(offer, own, setup, self.observer)
            try:
                host.begin()
                await host.wait()
                await self.wait_for_leaving()
            finally:
                await host.close()
        return SessionResult(records.path, host.ending, host.refusal, self.leave_requested)

    async def _leave_table(self) -> None:
        """End the match."""
        host = self._host
        if host is None:
            return
        host.stop()
        if host.runtime is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(host.runtime.ended.wait(), STOP_SECONDS)
