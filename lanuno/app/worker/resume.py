"""Resuming a table that was interrupted here, and the list of such tables. No Qt.

Who is the host follows from the log, so host and guest resume in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lanuno.app.worker.observer import SessionEvent
from lanuno.app.worker.table_session import SessionResult, TableSession
from lanuno.cli.resume import (
    Interrupted,
    OwnerPlace,
    interrupted_tables,
    play_resumed,
    resumed_table,
)
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.runtime.resume import ResumedTable
from lanuno.store.errors import StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.table.outputs import TableBegan


@dataclass(frozen=True, slots=True)
class ResumableTables:
    """The tables that can be resumed, newest first, and the errors of damaged ones."""

    tables: tuple[Interrupted, ...]
    damaged: tuple[StoreError, ...]


def find_resumable(home: Home) -> ResumableTables:
    """Read it from the disk; takes a moment. Raises `StoreError`."""
    damaged: list[StoreError] = []
    tables = interrupted_tables(home, load_profile(home), damaged)
    return ResumableTables(tables, tuple(damaged))


@dataclass(frozen=True, slots=True)
class ResumeRequest:
    """Which table to resume."""

    chosen: Interrupted
    adapter: str | None = None
    owner_place: OwnerPlace | None = None


class ResumedSession(TableSession):
    """The session at a resumed table."""

    def __init__(
        self, home: Home, request: ResumeRequest, emit: Callable[[SessionEvent], None]
    ) -> None:
        """Nothing is opened before `run`."""
        super().__init__(home, emit)
        self._request = request
        self._resumed: ResumedTable | None = None

    @property
    def runtime(self) -> NodeRuntime | None:
        """The node runtime, once it runs."""
        return None if self._resumed is None else self._resumed.runtime

    @property
    def lobby_seat(self) -> LobbySeatRuntime | None:
        """There is no waiting room any more."""
        return None

    async def run(self) -> SessionResult:
        """Play on until the table is over. Raises `NetError`, `StoreError`."""
        profile = load_profile(self.home)
        self.identity = profile.identity.public
        request, chosen = self._request, self._request.chosen
        with self.home.locked():
            # If no other owner plays, it was practice: the table needs no network.
            alone = all(seat.owner == self.identity for seat in chosen.table.roster.seats)
            recall, setup = resumed_table(
                self.home,
                profile,
                chosen,
                None,
                network=None if alone else NetworkContext(request.adapter),
                owner_place=request.owner_place,
                pace=self.pace,
            )
            setup.awaits_rematch = not alone
            self.observer.set_name(chosen.name)
            resumed = self._resumed = ResumedTable(recall, profile.identity, setup, self._observe)
            ending = await play_resumed(resumed, chosen)
            await self.wait_for_leaving()
        return SessionResult(chosen.table.path, ending, None, self.leave_requested)

    def _observe(self, event: object) -> None:
        self.observer(event)
        if isinstance(event, TableBegan) and self.runtime is not None:
            self.observer.replay_past(self.runtime)

    async def _leave_table(self) -> None:
        """Leave."""
        if self._resumed is not None:
            await self._resumed.leave()
