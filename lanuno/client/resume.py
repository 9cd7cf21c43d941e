"""Resuming a table that was interrupted here, and the list of such tables. No Qt.

Who is the host follows from the log, so host and guest resume in the same way.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import SystemRandom
from typing import Final

from lanuno.bots.autoplay import Player
from lanuno.bots.pace import BOTS_ONLY_PACE, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.client.events import SessionEvent
from lanuno.client.session import SessionResult, TableSession
from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import HostFault, Unreadable
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.runtime.config import PlayedSeat, RuntimeConfig
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.runtime.resume import ResumedTable
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile
from lanuno.store.recovery import UnfinishedTable, read_table, unfinished_tables
from lanuno.store.table_metadata import load_metadata, save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table import messages
from lanuno.table.errors import TableError
from lanuno.table.metadata import TableMetadata
from lanuno.table.outputs import TableBegan
from lanuno.table.recovery import RecoveredState

SHORTEST_ID: Final = 4
"""Letters of a table's id that are enough to name it."""

ID_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A table that was not played to its end here."""

    table: UnfinishedTable
    name: str
    """The name of the table; "" if it was not stored."""

    @property
    def id(self) -> bytes:
        """Of the table."""
        return self.table.table_id

    @property
    def shown_id(self) -> str:
        """The beginning of its id, short enough to type."""
        return self.id.hex()[:ID_SHOWN]

    def matches(self, wanted: str) -> bool:
        """Whether this name, or beginning of an id, means this table."""
        by_id = len(wanted) >= SHORTEST_ID and self.id.hex().startswith(wanted.lower())
        return by_id or self.name.casefold() == wanted.casefold()

    def is_at(self, context: bytes | None) -> bool:
        """Whether this is its name on the network, of now or of its waiting room."""
        return context in (self.id, self.table.roster.lobby)

    def identity_of(self, fingerprint_of: str | None) -> bytes | None:
        """The identity of a player of this table, by the fingerprint in a link."""
        seats = self.table.roster.seats
        named = [each.identity for each in seats if fingerprint(each.identity) == fingerprint_of]
        return named[0] if named else None


def interrupted_tables(
    home: Home, profile: Profile, damaged: list[StoreError], closed_since: float | None = None
) -> tuple[Interrupted, ...]:
    """All of a profile, newest first. Files that cannot be used go to `damaged`, and stay."""
    found = []
    for each in unfinished_tables(
        home, profile.identity.public, damaged.append, closed_since=closed_since
    ):
        try:
            kept = load_metadata(home, each.table_id)
        except StoreError as error:
            damaged.append(error)
            kept = None
        name = "" if kept is None else kept.name
        found.append(Interrupted(each, name))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class OwnerPlace:
    """Where a seat owner of the table is now, as far as that is known."""

    identity: bytes | None
    address: str
    port: int


def resumed_table(
    home: Home,
    profile: Profile,
    chosen: Interrupted,
    player: Player | None,
    *,
    network: NetworkContext | None,
    owner_place: OwnerPlace | None = None,
    port: int | None = None,
    pace: BotPace = BOTS_ONLY_PACE,
) -> tuple[RecoveredState, RuntimeConfig]:
    """The recovered state of a table and the config to resume it. Raises `StoreError`.

    `player`: the program that plays the own seat; None: a person. The bots of this computer there
    play on.
    """
    kept = load_metadata(home, chosen.id) or TableMetadata()
    stored = read_table(home, chosen.id)
    places = list(kept.places)
    for seat, info in enumerate(chosen.table.roster.seats):
        if owner_place is not None and info.identity == owner_place.identity:
            places.append(messages.PeerAddress(seat, owner_place.address, owner_place.port))
    chance = SystemRandom()
    bots = (PlayedSeat(each, SensiblePlayer(chance)) for each in stored.bots)
    config = RuntimeConfig(
        seats=(PlayedSeat(profile.identity, player), *bots),
        records=TableRecords(home, resumed=True),
        entropy=os.urandom,
        network=network,
        metadata=kept,
        save_metadata=partial(save_metadata, home),
        port=port,
        pace=pace,
    )
    return replace(stored.state, places=tuple(places)), config


async def play_resumed(resumed: ResumedTable, chosen: Interrupted) -> TableEnding:
    """Play until the table is over. Raises `StoreError`, `NetError`."""
    try:
        return await resumed.run()
    except (Unreadable, TableError, HostFault) as error:
        raise StoreError(FileProblem.DAMAGED, chosen.table.path, str(error)) from None


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
