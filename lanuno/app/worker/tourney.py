"""A tournament, from the roster that eight people signed: table after table. Asyncio; no Qt.

Where each table is and who hosts it follows from the tournament; see `lanuno.net.tournament_run`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lanuno.app.worker.follower import Follower, Told, TournamentStands
from lanuno.app.worker.sitting import Left, Sitting
from lanuno.log.genesis import Genesis, avatars
from lanuno.net.member_driver import MemberDriver
from lanuno.net.tournament_breaks import Break, TournamentBroken
from lanuno.net.tournament_run import Entrant, OtherTable, RotationDone, TournamentRun
from lanuno.net.waiting_seat import WaitingSeat
from lanuno.rules.tournament import SCHEDULE
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.tournament_records import TournamentFiles
from lanuno.table.messages import LobbyState
from lanuno.table.outputs import TableBegan

LOOK_SECONDS: Final = 10.0
"""How long the result of a rotation is looked at before the next tables open."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What tournament, and how it is played here."""

    genesis: Genesis
    adapter: str | None = None
    slow_clock: bool = False


class TournamentTables(Sitting):
    """All tables of a tournament at which one player sits, one after the other."""

    def __init__(self, home: Home, entry: Entry, tell: Callable[[Told], None]) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, tell)
        self._entry = entry
        self._run: TournamentRun | None = None

    @property
    def driver(self) -> MemberDriver | None:
        """What runs at the table of now."""
        return None if self._run is None else self._run.driver

    @property
    def waiting(self) -> WaitingSeat | None:
        """Nobody is asked anything between the tables."""
        return None

    async def run(self) -> Left:
        """Play all rotations. Raises `NetError`, `StoreError`."""
        entry, profile = self._entry, load_profile(self.home)
        self.identity = profile.identity.public
        with self.home.locked():
            files = TournamentFiles(self.home, entry.genesis)
            seats = entry.genesis.read().seats
            me = next(seat for seat in seats if seat.identity == self.identity)
            entrant = Entrant(
                profile.identity,
                me.name,
                None,
                os.urandom,
                entry.adapter,
                LOOK_SECONDS,
                entry.slow_clock,
                me.avatar,
            )
            run = self._run = TournamentRun(entry.genesis, entrant, files, self._observe)
            broken = None
            try:
                if not self.asked:
                    await run.run()
            except TournamentBroken as error:
                broken = error.broken
            await self.end_leaving()
            self.tell(self._stands(broken=broken))
        return Left(files.transcripts[-1], None, None, self.asked)

    def _observe(self, event: object) -> None:
        match event:
            case LobbyState():
                self.follower.named(event.table)
            case TableBegan():
                named = self.follower.name
                self.follower = Follower(self.tell, lambda: self.driver)
                self.follower.named(named)
                self.follower(event)
            case OtherTable():
                self.tell(self._stands(waits=True))
            case RotationDone():
                self.tell(self._stands())
            case Break():
                # Told at once; a host stays for a moment longer, for the others to see it too.
                self.tell(self._stands(broken=event))
            case _:
                self.follower(event)

    def _stands(self, *, broken: Break | None = None, waits: bool = False) -> TournamentStands:
        assert self._run is not None
        tournament = self._run.tournament
        seats = tournament.roster.seats
        colours = avatars(seats)
        return TournamentStands(
            names=tuple(seat.name for seat in seats),
            avatars=tuple(colours[seat.identity] for seat in seats),
            totals=tuple(tournament.results.totals),
            mine=next(n for n, seat in enumerate(seats) if seat.identity == self.identity),
            rotation=tournament.rotation,
            rotations=len(SCHEDULE),
            winners=tuple(tournament.results.winners),
            waits=waits,
            broken=broken,
        )

    async def go(self) -> None:
        """Leave the tournament."""
        if self._run is not None:
            self._run.leave()
