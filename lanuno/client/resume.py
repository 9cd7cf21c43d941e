"""Resumes tables that were interrupted here, and lists them. No Qt.

The log decides which node is the host, so host and guests resume in the same way.
"""

from __future__ import annotations

import os
import time
from functools import partial
from random import SystemRandom
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lanuno.bots.autoplay import Player
from lanuno.bots.pace import BOTS_ONLY_PACE, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.client.places import TablePlace
from lanuno.client.tournament_run import InterruptedTournament
from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import Unreadable
from lanuno.log.format.names import look_alike
from lanuno.log.format.transcript import Transcript
from lanuno.log.tournament import TournamentReplay
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.runtime.config import PlayedSeat, RuntimeConfig
from lanuno.net.runtime.records import TraceRecords
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile
from lanuno.store.recovery import UnfinishedTable, read_table, unfinished_tables
from lanuno.store.table_metadata import load_metadata, save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.store.tournament_records import TournamentFiles, stored_tournament
from lanuno.table.messages import PeerAddress
from lanuno.table.metadata import TableMetadata
from lanuno.table.recovery import RecoveredState

SHORTEST_ID: Final = 4
"""The fewest characters of a table's id that may select it."""

ID_SHOWN: Final = 8

ROTATION_SECONDS: Final = 900.0
"""How long after its last table a tournament may still wait for a player: for the other table."""


class Interrupted(Struct, frozen=True):
    """A table that was not played to its end on this computer."""

    table: UnfinishedTable
    name: str
    """Name of the table; "" if it was not stored."""

    @property
    def id(self) -> bytes:
        """Id of the table."""
        return self.table.table_id

    @property
    def shown_id(self) -> str:
        """The beginning of the table's id, short enough to type."""
        return self.id.hex()[:ID_SHOWN]

    def matches(self, wanted: str) -> bool:
        """Whether `wanted` is a name like this table's, or the beginning of its id."""
        by_id = len(wanted) >= SHORTEST_ID and self.id.hex().startswith(wanted.lower())
        return by_id or look_alike(self.name, wanted)

    def is_at(self, context: bytes | None) -> bool:
        """Whether `context` is the id of this table or of its waiting room."""
        return context in (self.id, self.table.roster.lobby)

    def owner_at(self, place: TablePlace, identity: bytes | None = None) -> PeerAddress | None:
        """Return the owner at a place, by `identity` or else by the place's fingerprint."""
        wanted = place.fingerprint if identity is None else fingerprint(identity)
        for seat, info in enumerate(self.table.roster.seats):
            if fingerprint(info.identity) == wanted:
                return PeerAddress(seat, place.hosts[0], place.port)
        return None


class ResumeRequest(Struct, frozen=True, kw_only=True):
    """Resume a table that was interrupted here. The log decides whether this node is the host."""

    chosen: Interrupted
    player: Player | None = None
    """The strategy that plays this player's seat; None for a person."""
    owner_place: PeerAddress | None = None
    """The present address of another owner at the table, if known."""
    adapter: str | None = None
    port: int | None = None
    """The only port to listen on; None for the previous port, or a free one."""
    stays_for_rematch: bool = False
    """Whether to stay after the match to see who wants to play again."""


class ResumableTables(Struct, frozen=True):
    """The tables that can be resumed, newest first, and the errors of damaged files."""

    tables: tuple[Interrupted, ...]
    damaged: tuple[StoreError, ...]


def find_resumable(
    home: Home, profile: Profile | None = None, closed_since: float | None = None
) -> ResumableTables:
    """Return the tables that a profile can resume, read from disk; slow. Raises `StoreError`.

    `profile`: None for that of this home. `closed_since`: also return tables that this profile has
    closed since then. The files in `damaged` are kept.
    """
    me = (profile or load_profile(home)).identity.public
    damaged: list[StoreError] = []
    found = []
    for each in unfinished_tables(
        home,
        me,
        damaged.append,
        closed_since=closed_since,
        rotation_since=time.time() - ROTATION_SECONDS,
    ):
        try:
            kept = load_metadata(home, each.table_id)
        except StoreError as error:
            damaged.append(error)
            kept = None
        found.append(Interrupted(each, "" if kept is None else kept.name))
    return ResumableTables(tuple(found), tuple(damaged))


def interrupted_tournament(
    home: Home, table: RecoveredState, metadata: TableMetadata
) -> InterruptedTournament:
    """Return the tournament to which a recovered table belongs, as its verified logs determine it.

    Slow. Raise `StoreError` NO_TOURNAMENT if the files do not lead to this table.
    """
    roster = table.genesis.read()
    assert roster.binding is not None
    stored = stored_tournament(home, roster.binding.tournament)
    try:
        replay = TournamentReplay(stored.genesis)
    except Unreadable as error:
        raise StoreError(FileProblem.NO_TOURNAMENT, stored.path, str(error)) from None
    others = {path: log for path, log in stored.tables if log.genesis != table.genesis}
    # Without its entries, the table only tells which logs its players have counted.
    replay.add_all([Transcript(table.genesis, (), torn=False), *others.values()])
    if not replay.expects(roster):
        raise StoreError(FileProblem.NO_TOURNAMENT, stored.path, "its tables are incomplete")
    files = TournamentFiles(home, stored.genesis, tuple(others))
    return InterruptedTournament(replay, files, table, metadata)


def recovered_table(
    home: Home,
    profile: Profile,
    request: ResumeRequest,
    *,
    bot_pace: BotPace = BOTS_ONLY_PACE,
    trace: TraceRecords | None = None,
) -> tuple[RecoveredState, RuntimeConfig]:
    """Return the recovered state of a table, and the config to resume it. Raises `StoreError`.

    The bots of this computer at that table continue to play. Practice gets no network.
    """
    table = request.chosen.table
    kept = load_metadata(home, table.table_id) or TableMetadata()
    stored = read_table(home, table.table_id)
    places = () if request.owner_place is None else (request.owner_place,)
    # Only a table that was open to other computers has ever had a port.
    alone = all(seat.owner == profile.identity.public for seat in table.roster.seats)
    practice = alone and kept.port is None
    chance = SystemRandom()
    bots = (PlayedSeat(each, SensiblePlayer(chance)) for each in stored.bots)
    config = RuntimeConfig(
        seats=(PlayedSeat(profile.identity, request.player), *bots),
        records=TableRecords(home, resumed=True),
        entropy=os.urandom,
        network=None if practice else NetworkContext(request.adapter),
        metadata=kept,
        save_metadata=partial(save_metadata, home),
        port=request.port,
        bot_pace=bot_pace,
        trace=trace,
        awaits_rematch=request.stays_for_rematch and not practice,
    )
    return replace(stored.state, places=(*kept.places, *places)), config
