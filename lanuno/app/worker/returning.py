"""A table that was interrupted here and is gone on with; and which tables those are. No Qt.

Who is its host follows from the log, so host and guest come back in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lanuno.app.worker.follower import Told
from lanuno.app.worker.sitting import Left, Sitting
from lanuno.cli.coming_back import Interrupted, Met, interrupted_tables, play_on, seat_again
from lanuno.net.member_driver import MemberDriver
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_again import TableAgain
from lanuno.net.waiting_seat import WaitingSeat
from lanuno.store.errors import StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
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
    met: Met | None = None


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
            # Where nobody else plays, nobody else has to find the table: it was practice.
            alone = all(seat.owner == self.identity for seat in chosen.table.roster.seats)
            recall, setup = seat_again(
                self.home,
                profile,
                chosen,
                None,
                around=None if alone else Surroundings(plan.adapter),
                met=plan.met,
                pace=self.pace,
            )
            setup.stays = not alone
            self.follower.named(chosen.name)
            again = self._again = TableAgain(recall, profile.identity, setup, self._observe)
            ending = await play_on(again, chosen)
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
