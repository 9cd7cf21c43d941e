"""A tournament, from the roster that eight people signed: table after table. Asyncio; no Qt.

Where each table is and who hosts it follows from the tournament; see
`lanuno.client.tournament_run`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lanuno.client.events import SessionEvent, TournamentStanding
from lanuno.client.observer import TableObserver
from lanuno.client.session import SessionResult, TableSession
from lanuno.client.tournament_breaks import TournamentBreak, TournamentBroken
from lanuno.client.tournament_run import Entrant, OtherTable, RotationDone, TournamentRun
from lanuno.log.format.genesis import Genesis, avatars
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.rules.match.tournament import SCHEDULE
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.tournament_records import TournamentFiles
from lanuno.table.messages import LobbyState
from lanuno.table.outputs import TableBegan

ROTATION_RESULT_SECONDS: Final = 10.0
"""Seconds for which the result of a rotation is shown before the next tables open."""


@dataclass(frozen=True, slots=True)
class TournamentRequest:
    """What tournament, and how it is played here."""

    genesis: Genesis
    adapter: str | None = None
    slow_clock: bool = False


class TournamentTables(TableSession):
    """All tables of a tournament at which one player sits, one after the other."""

    def __init__(
        self, home: Home, request: TournamentRequest, emit: Callable[[SessionEvent], None]
    ) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, emit)
        self._request = request
        self._run: TournamentRun | None = None

    @property
    def runtime(self) -> NodeRuntime | None:
        """What runs at the table of now."""
        return None if self._run is None else self._run.runtime

    @property
    def lobby_seat(self) -> LobbySeatRuntime | None:
        """There is no waiting room between the tables."""
        return None

    async def run(self) -> SessionResult:
        """Play all rotations. Raises `NetError`, `StoreError`."""
        request, profile = self._request, load_profile(self.home)
        self.identity = profile.identity.public
        with self.home.locked():
            files = TournamentFiles(self.home, request.genesis)
            seats = request.genesis.read().seats
            me = next(seat for seat in seats if seat.identity == self.identity)
            entrant = Entrant(
                profile.identity,
                me.name,
                None,
                os.urandom,
                request.adapter,
                ROTATION_RESULT_SECONDS,
                request.slow_clock,
                me.avatar,
            )
            run = self._run = TournamentRun(request.genesis, entrant, files, self._observe)
            broken = None
            try:
                if not self.leave_requested:
                    await run.run()
            except TournamentBroken as error:
                broken = error.broken
            await self.wait_for_leaving()
            self.emit(self._standing(broken=broken))
        return SessionResult(files.transcripts[-1], None, None, self.leave_requested)

    def _observe(self, event: object) -> None:
        match event:
            case LobbyState():
                self.observer.set_name(event.table)
            case TableBegan():
                named = self.observer.name
                self.observer = TableObserver(self.emit, lambda: self.runtime)
                self.observer.set_name(named)
                self.observer(event)
            case OtherTable():
                self.emit(self._standing(awaiting_other_table=True))
            case RotationDone():
                self.emit(self._standing())
            case TournamentBreak():
                # Emitted at once: a host stays a moment longer, so that the others receive it.
                self.emit(self._standing(broken=event))
            case _:
                self.observer(event)

    def _standing(
        self, *, broken: TournamentBreak | None = None, awaiting_other_table: bool = False
    ) -> TournamentStanding:
        assert self._run is not None
        tournament = self._run.tournament
        seats = tournament.roster.seats
        colours = avatars(seats)
        return TournamentStanding(
            names=tuple(seat.name for seat in seats),
            avatars=tuple(colours[seat.identity] for seat in seats),
            totals=tuple(tournament.results.totals),
            mine=next(n for n, seat in enumerate(seats) if seat.identity == self.identity),
            rotation=tournament.rotation,
            rotations=len(SCHEDULE),
            winners=tuple(tournament.results.winners),
            awaiting_other_table=awaiting_other_table,
            broken=broken,
        )

    async def _leave_table(self) -> None:
        """Leave the tournament."""
        if self._run is not None:
            self._run.leave()
