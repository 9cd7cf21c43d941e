"""A table against bots on this computer alone: the same protocol, and no network at all.

There is no door, no advert and no socket; host, player and bots speak by the same messages as at
every other table, and the game is kept and can be verified like every other.
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

from lanuno.app.worker.follower import Told
from lanuno.app.worker.sitting import Left, Sitting
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.genesis import LOBBY_ID_BYTES, look_alike
from lanuno.net.member_driver import MemberDriver
from lanuno.net.setup import OwnSeat, Setup
from lanuno.net.table_host import TableHost
from lanuno.net.waiting_seat import WaitingSeat
from lanuno.rules.ruleset import Ruleset
from lanuno.store.arrangements import save_arrangements
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby import TableOffer

BOT_NAMES: Final = ("Ada", "Blas", "Cleo", "Dario", "Elsa", "Fito", "Gala", "Hugo", "Inés", "Jon")
"""One more than there can be bots: the player may have one of them."""

STOP_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Practice:
    """What is to be played."""

    ruleset: Ruleset
    bots: int
    name: str
    """Of the table."""
    slow_clock: bool = False
    avatar: int | None = None


def bot_names(player: str, number: int) -> list[str]:
    """Names for so many bots, none of them the player's."""
    free = [name for name in BOT_NAMES if not look_alike(name, player)]
    return free[:number]


class PracticeTable(Sitting):
    """A table of one person and bots."""

    hosts = True

    def __init__(self, home: Home, plan: Practice, tell: Callable[[Told], None]) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, tell)
        self._plan = plan
        self._host: TableHost | None = None

    @property
    def driver(self) -> MemberDriver | None:
        """What runs once the log has begun."""
        return None if self._host is None else self._host.driver

    @property
    def waiting(self) -> WaitingSeat | None:
        """Nobody waits here."""
        return None

    async def run(self) -> Left:
        """Play until the match is over or the player leaves. Raises `StoreError`."""
        profile = load_profile(self.home)
        self.identity = self.host_identity = profile.identity.public
        seeds = tuple(os.urandom(32) for _ in range(self._plan.bots))
        with self.home.locked():
            chance = SystemRandom()
            own = [
                OwnSeat(
                    profile.identity,
                    profile.name,
                    None,
                    slow_clock=self._plan.slow_clock,
                    avatar=self._plan.avatar,
                ),
                *(
                    OwnSeat(Identity.from_seed(seed), name, SensiblePlayer(chance), bot=True)
                    for seed, name in zip(
                        seeds, bot_names(profile.name, self._plan.bots), strict=True
                    )
                ),
            ]
            offer = TableOffer(
                os.urandom(LOBBY_ID_BYTES),
                self._plan.name,
                self._plan.ruleset,
                len(own),
                profile.identity.public,
                spectators=False,
            )
            records = TableRecords(self.home, bots=seeds)
            setup = Setup(
                seats=(),
                records=records,
                entropy=os.urandom,
                pace=self.pace,
                arrange=partial(save_arrangements, self.home),
            )
            host = self._host = TableHost(offer, own, setup, self.follower)
            try:
                host.begin()
                await host.wait()
                await self.end_leaving()
            finally:
                await host.close()
        return Left(records.path, host.ending, host.refusal, self.asked)

    async def go(self) -> None:
        """End the match."""
        host = self._host
        if host is None:
            return
        host.stop()
        if host.driver is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(host.driver.ended.wait(), STOP_SECONDS)
