"""What a `NodeRuntime` is given: seats, records, network, and how its node behaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lanuno.bots.autoplay import Player
from lanuno.bots.pace import BOTS_ONLY_PACE, BotPace
from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import TournamentBinding
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.runtime.admission import Admission
from lanuno.net.runtime.bot_runner import sensible_player
from lanuno.net.runtime.records import Records
from lanuno.net.transport.listener import Listener
from lanuno.table.lobby.peer import Entropy
from lanuno.table.metadata import TableMetadata


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """A seat that this node plays."""

    identity: Identity
    player: Player | None
    """A bot's strategy; None for a person."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat of the host that opens a table, from the lobby on."""

    identity: Identity
    name: str
    player: Player | None
    """A bot's strategy; None for a person."""
    bot: bool = False
    slow_clock: bool = False
    avatar: int | None = None
    """The colour under which everybody is to see this player."""
    auto_ready: bool = True
    """Send "ready" as soon as the seat is taken."""
    binding: TournamentBinding | None = None
    """At a table of a tournament: its binding to the earlier tables."""
    order: tuple[bytes, ...] = ()
    """At a table of a tournament: the identities by seat."""


@dataclass(slots=True, kw_only=True)
class RuntimeConfig:
    """Everything that a node at one table needs besides the genesis."""

    seats: tuple[PlayedSeat, ...]
    """The owner's, then those of its bots; none for a spectator."""
    records: Records
    entropy: Entropy
    network: NetworkContext | None = None
    """None for a node that accepts and makes no connections of its own."""
    metadata: TableMetadata = field(default_factory=TableMetadata)
    """What was agreed before the log began."""
    save_metadata: Callable[[bytes, TableMetadata], None] | None = None
    """Called with the table's id to save the metadata: at the start, and at every new address."""
    pace: BotPace = BOTS_ONLY_PACE
    """How fast the bots of this node play."""
    stand_in: Callable[[], Player] = sensible_player
    """Makes the strategy of a stand-in that this node plays."""
    on_hosting_changed: Callable[[bool], None] | None = None
    """Called when this node becomes the host of a table that plays, and when it ceases to be."""
    admission: Admission | None = None
    """Decides who may watch; without it nobody may."""
    search_seconds: float | None = None
    """Seconds without a host before this node gives up; None: the usual number."""
    port: int | None = None
    """The only port to listen on; None: that of the metadata, or a free one."""
    awaits_rematch: bool = False
    """Whether this node stays at the table after its end, to see who wants to play again."""
    listener: Listener | None = field(default=None, repr=False)
    """Accepts the other nodes, if it is open already."""
