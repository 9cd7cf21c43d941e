"""A table that was interrupted here and is gone on with; and which tables those are. No Qt.

Who is its host follows from the log, so host and guest come back in the same way.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import SystemRandom

from lanuno.app.worker.follower import Told
from lanuno.app.worker.sitting import BOTS_THINK, Left, Sitting
from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.coming_back import Interrupted, interrupted_tables
from lanuno.log.faults import HostFault, Unreadable
from lanuno.net.member_driver import MemberDriver, PlayedSeat, Setup
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_again import TableAgain
from lanuno.net.waiting_seat import WaitingSeat
from lanuno.store.arrangements import load_arrangements, save_arrangements
from lanuno.store.errors import Problem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.recollection import remember
from lanuno.store.table_records import TableRecords
from lanuno.table import messages
from lanuno.table.arrangements import Arrangements
from lanuno.table.errors import TableError
from lanuno.table.outputs import TableBegan


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The tables that can be gone on with, newest first, and what is in the way of others."""

    tables: tuple[Interrupted, ...]
    damaged: tuple[StoreError, ...]


def look_for_unfinished(home: Home) -> Unfinished:
    """Read it from the disk; takes a moment. Raises `StoreError`."""
    damaged: list[StoreError] = []
    tables = interrupted_tables(home, load_profile(home), damaged)
    return Unfinished(tables, tuple(damaged))


@dataclass(frozen=True, slots=True)
class Return:
    """Who comes back to which table."""

    chosen: Interrupted
    adapter: str | None = None
    address: str | None = None
    """Where somebody of the table is now, as far as that is known."""
    port: int = 0
    identity: bytes | None = None
    """Whose place that is."""
    thinks: float = BOTS_THINK


class ReturnedTable(Sitting):
    """The same seat again."""

    def __init__(self, home: Home, plan: Return, tell: Callable[[Told], None]) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, tell)
        self._plan = plan
        self._again: TableAgain | None = None

    @property
    def driver(self) -> MemberDriver | None:
        """What runs once the door is open."""
        return None if self._again is None else self._again.driver

    @property
    def waiting(self) -> WaitingSeat | None:
        """There is no waiting room any more."""
        return None

    async def run(self) -> Left:
        """Play on until the table is over. Raises `NetError`, `StoreError`."""
        profile = load_profile(self.home)
        self.identity = profile.identity.public
        plan, chosen = self._plan, self._plan.chosen
        with self.home.locked():
            kept = load_arrangements(self.home, chosen.id) or Arrangements()
            remembered = remember(self.home, chosen.id)
            places = list(kept.places)
            for seat, info in enumerate(chosen.table.roster.seats):
                if plan.address is not None and info.identity == plan.identity:
                    places.append(messages.Place(seat, plan.address, plan.port))
            recall = replace(remembered.recall, places=tuple(places))
            chance = SystemRandom()
            # Where nobody else plays, nobody else has to find the table: it was practice.
            alone = all(seat.owner == self.identity for seat in chosen.table.roster.seats)
            bots = (PlayedSeat(each, SensiblePlayer(chance)) for each in remembered.bots)
            setup = Setup(
                seats=(PlayedSeat(profile.identity, None), *bots),
                records=TableRecords(self.home, resumed=True),
                entropy=os.urandom,
                surroundings=None if alone else Surroundings(plan.adapter),
                arrangements=kept,
                arrange=partial(save_arrangements, self.home),
                thinks=plan.thinks,
            )
            self.follower.named(chosen.name)
            again = self._again = TableAgain(recall, profile.identity, setup, self._observe)
            try:
                ending = await again.run()
            except (Unreadable, TableError, HostFault) as error:
                raise StoreError(Problem.DAMAGED, chosen.table.path, str(error)) from None
            await self.end_leaving()
        return Left(chosen.table.path, ending, None, self.asked)

    def _observe(self, event: object) -> None:
        self.follower(event)
        if isinstance(event, TableBegan) and self.driver is not None:
            self.follower.catch_up(self.driver)

    async def go(self) -> None:
        """Leave."""
        if self._again is not None:
            await self._again.leave()
