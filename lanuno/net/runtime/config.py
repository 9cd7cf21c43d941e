"""The configuration of a `NodeRuntime`: seats, records, network, and how its node behaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import Struct

from lanuno.bots.autoplay import Player
from lanuno.bots.pace import BOTS_ONLY_PACE, BotPace
from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import TournamentBinding
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.runtime.admission import Admission
from lanuno.net.runtime.bot_runner import sensible_player
from lanuno.net.runtime.records import Records, TraceRecords
from lanuno.net.transport.listener import Listener
from lanuno.table.lobby.peer import Entropy
from lanuno.table.lobby.readiness import MatchTerms
from lanuno.table.metadata import TableMetadata


class PlayedSeat(Struct, frozen=True):
    """A seat that this node plays."""

    identity: Identity
    player: Player | None
    """A bot's strategy; None for a person."""


class OwnSeat(Struct, frozen=True):
    """A seat of the host that opens a table, as configured in the lobby."""

    identity: Identity
    name: str
    player: Player | None
    """A bot's strategy; None for a person."""
    bot: bool = False
    slow_clock: bool = False
    avatar: int | None = None
    """The colour in which all players see this player."""
    auto_ready: bool = True
    expected: MatchTerms | None = None
    """When the seat is ready in the lobby without a click, as in `Seating`."""
    binding: TournamentBinding | None = None
    """At a tournament table: its binding to the earlier tables."""
    order: tuple[bytes, ...] = ()
    """At a tournament table: the identities by seat."""


@dataclass(slots=True, kw_only=True)
class RuntimeConfig:
    """Everything that a node needs at one table besides the genesis."""

    seats: tuple[PlayedSeat, ...]
    """The owner's seat, then its bots' seats; empty for a spectator."""
    records: Records
    entropy: Entropy
    network: NetworkContext | None = None
    """None for a node that neither accepts further connections nor searches for other nodes."""
    listens: bool = True
    """Whether others may connect to this node once the log has begun, so that it can become the
    host. One that does not listen still searches for the host."""
    metadata: TableMetadata = field(default_factory=TableMetadata)
    """What the lobby agreed on before the log began."""
    save_metadata: Callable[[bytes, TableMetadata], None] | None = None
    """Saves the metadata of a table id. Called at the start and after each change of it."""
    bot_pace: BotPace = BOTS_ONLY_PACE
    """How fast the bots of this node play."""
    stand_in: Callable[[], Player] = sensible_player
    """Makes the strategy of a stand-in on this node."""
    on_hosting_changed: Callable[[bool], None] | None = None
    """Called with True when this node becomes the host of a table in progress, else with False."""
    admission: Admission | None = None
    """Decides who may watch. None admits no spectator."""
    search_seconds: float | None = None
    """Seconds without a host before this node gives up. None: `usual_search_seconds`."""
    port: int | None = None
    """The only port to listen on. None: the port in the metadata, or else a free one."""
    awaits_rematch: bool = False
    """Whether this node stays after the end of the match, to see who wants to play again."""
    trace: TraceRecords | None = None
    """Receives a trace of the node. None: no trace."""
    listener: Listener | None = field(default=None, repr=False)
    """Accepts connections of other nodes, if it is already open."""
