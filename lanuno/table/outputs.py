"""Outputs: what the machines of this package ask to be done for them. Values only.

The unions at the end say which machine puts out what. `Node` routes the outputs of its sessions,
its host role and its voter; `NodeRuntime` carries out those of the node. A list is carried out from
first to last: what must be on disk stands before what is to be sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from lanuno.log.faults import Blame
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.round.events import LogEvent
from lanuno.table.messages import AtTable, FromHost, FromPeer, LobbyRefusal, LobbyState, Reaction

Peer = int
"""A connection, as the runtime numbers it."""

OWN: Peer = -1
"""This node as its own host role names it; connections have numbers from 0."""


@dataclass(frozen=True, slots=True, repr=False)
class SendToHost:
    """Send a message to the host."""

    message: FromPeer

    def __repr__(self) -> str:
        # Its content is public only once it is in the log.
        return f"SendToHost({type(self.message).__name__})"


@dataclass(frozen=True, slots=True, repr=False)
class SendToPeer:
    """Send a message to one peer."""

    peer: Peer
    message: FromHost

    def __repr__(self) -> str:
        return f"SendToPeer({self.peer}, {type(self.message).__name__})"


@dataclass(frozen=True, slots=True, repr=False)
class Send:
    """Send a message over a connection to another node at the table."""

    link: Peer
    message: AtTable

    def __repr__(self) -> str:
        return f"Send({self.link}, {type(self.message).__name__})"


@dataclass(frozen=True, slots=True)
class Connect:
    """Connect to the node of an owner, then call `link_up` or `connect_failed`."""

    seat: int
    places: tuple[tuple[str, int], ...]
    """Addresses and ports where it may be, the likeliest first; the runtime may know more."""


@dataclass(frozen=True, slots=True)
class CloseLink:
    """Close a connection after what was sent over it."""

    link: Peer


@dataclass(frozen=True, slots=True)
class HostingChanged:
    """This node is the host of the table from now on, or not any more."""

    on: bool


@dataclass(frozen=True, slots=True)
class QuorumChanged:
    """No quorum: fewer than a majority of the owners are in contact, so nothing becomes final.

    Put out again, with `here >= wanted`, when that is over.
    """

    here: int
    wanted: int


@dataclass(frozen=True, slots=True)
class ClaimOffered:
    """The person at the host may end the wait for these seats (`Node.claim`), or wait on.

    Two owners are left, one of them is silent, and its grace time is over. It cannot be known whose
    network failed, so no seat is dropped by time alone. Put out again, without seats, when that is
    over.
    """

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Close the connection to a peer after what was sent to it."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class StoreGenesis:
    """Begin the journal of this table: write its genesis to disk."""

    genesis: Genesis


@dataclass(frozen=True, slots=True)
class AppendEntry:
    """Append an entry to the journal, before anything that follows in the list."""

    entry: Entry


@dataclass(frozen=True, slots=True, repr=False)
class StoreSeed:
    """Write a secret of a round to the private sidecar and flush it to the disk itself."""

    seat: int
    open: bytes
    """Hash of the round's Open entry."""
    label: str
    secret: bytes

    def __repr__(self) -> str:
        return f"StoreSeed(seat={self.seat}, label={self.label!r}, <secret>)"


@dataclass(frozen=True, slots=True, repr=False)
class StoreBody:
    """Write own signed bytes to the private sidecar, so that their counter is never used again.

    The use of the counter must be on the disk itself.
    """

    seat: int
    counter: int
    signed: SignedBody

    def __repr__(self) -> str:
        return f"StoreBody(seat={self.seat}, counter={self.counter}, <signed>)"


@dataclass(frozen=True, slots=True, repr=False)
class StoreStandIn:
    """Write the private key of a stand-in to the sidecar, and flush it to the disk itself.

    The body that it signs follows in the list.
    """

    seat: int
    seed: bytes

    def __repr__(self) -> str:
        return f"StoreStandIn(seat={self.seat}, <secret>)"


@dataclass(frozen=True, slots=True)
class StoreVote:
    """Write an own vote to the private sidecar and flush it to the disk itself."""

    term: int
    data: bytes


@dataclass(frozen=True, slots=True)
class StoreRelease:
    """Record that a secret is released, on the disk itself; the body that releases it follows."""

    seat: int
    counter: int
    """Of the body."""
    count: int
    """Number of entries up to the one that asks for the secret, itself included."""
    head: bytes
    """Hash of that entry: no log without it is ever followed again."""


@dataclass(frozen=True, slots=True)
class SyncJournal:
    """Make the journal survive a loss of power, then call `synced` with this."""

    count: int
    """Entries in the journal."""
    cuts: int
    """How often the journal's end was cut off before: a sync of an earlier end does not count."""


@dataclass(frozen=True, slots=True)
class TruncateJournal:
    """Cut the journal off behind its first `count` entries, and set the others aside."""

    count: int


@dataclass(frozen=True, slots=True)
class StoreOtherEnd:
    """Set aside entries that another log holds behind the first `count` of the journal.

    The journal stays as it is.
    """

    count: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, repr=False)
class RunJob:
    """Run a pure function away from the event loop and hand its result to `job_done`."""

    job: int
    work: Callable[[], object]

    def __repr__(self) -> str:
        return f"RunJob(job={self.job})"


@dataclass(frozen=True, slots=True)
class Happened:
    """Something public happened: an event of the log or of the rules, or in the lobby."""

    event: LogEvent | LobbyState


@dataclass(frozen=True, slots=True)
class ViewChanged:
    """The view of this seat has changed: read it again."""


@dataclass(frozen=True, slots=True)
class ActionRefused:
    """The host did not take an action of this seat."""

    refusal: str
    detail: str


@dataclass(frozen=True, slots=True)
class ChatReceived:
    """A player or a spectator wrote a line of chat."""

    name: str
    seat: int
    """-1 for a spectator."""
    text: str = field(repr=False)
    spectator: bytes | None = None
    """Identity of the spectator, if one wrote it."""


@dataclass(frozen=True, slots=True)
class ReactionSeen:
    """A player reacts."""

    name: str
    seat: int
    reaction: Reaction


@dataclass(frozen=True, slots=True)
class RematchChanged:
    """Which players of a closed table want to play again."""

    here: tuple[int, ...]
    """Seats of the players who are still there."""
    wanted: tuple[int, ...]
    """Seats of the players who want to, in the order of their answers."""
    opener: int | None
    """Seat of the player whose node opens the next table, once that is decided."""
    mine: bool
    """Whether the person here wants to."""


@dataclass(frozen=True, slots=True)
class Spectator:
    """A person who follows a table without a seat, as the host knows them."""

    name: str
    identity: bytes


@dataclass(frozen=True, slots=True)
class SpectatorsChanged:
    """As host: these people watch the table now."""

    spectators: tuple[Spectator, ...]


@dataclass(frozen=True, slots=True)
class SeatsAwaited:
    """The table waits for these seats, or, without seats, for none any more."""

    seats: tuple[int, ...]
    seconds: float
    """The longest wait. Without seats: what is left of the open decision; 0 if it has no clock."""


def shown_seconds(seconds: float) -> int:
    """Whole seconds left, rounded up: all clocks and messages show this number."""
    return max(0, ceil(seconds))


@dataclass(frozen=True, slots=True)
class NodeStopped:
    """This node stops: no honest host can have sent what it received. The evidence is on disk."""

    blame: Blame
    """`seat` is None where it cannot be proven to others; the host is then only suspected."""
    given_up: bool = False
    """Whether the others went on without entries that were final here: secrets may have been
    released for them, and this node cannot go on without revealing its cards."""


@dataclass(frozen=True, slots=True)
class HostDoubted:
    """The owner that is followed has not shown its election, and sends what cannot be the log.

    It proves no fault: the node follows another owner.
    """


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """The host refused this peer a seat, or took it back."""

    why: LobbyRefusal


@dataclass(frozen=True, slots=True)
class TableBegan:
    """The log begins; the lobby's work is done."""

    genesis: Genesis


StoreOutput = (
    StoreGenesis
    | AppendEntry
    | StoreSeed
    | StoreBody
    | StoreStandIn
    | StoreVote
    | StoreRelease
    | TruncateJournal
    | StoreOtherEnd
)
"""What a node writes to its own disk, before it carries out what follows in the list."""

ReportOutput = (
    HostingChanged
    | QuorumChanged
    | ClaimOffered
    | Happened
    | ViewChanged
    | ActionRefused
    | ChatReceived
    | ReactionSeen
    | SpectatorsChanged
    | SeatsAwaited
    | NodeStopped
)
"""What a node reports to the people and programs that play on it."""

NodeOutput = StoreOutput | SyncJournal | RunJob | Send | Connect | CloseLink | ReportOutput
"""What `Node` asks of its runtime."""

SeatOutput = (
    SendToHost
    | HostDoubted
    | StoreGenesis
    | AppendEntry
    | StoreSeed
    | StoreBody
    | StoreRelease
    | TruncateJournal
    | StoreOtherEnd
    | SyncJournal
    | RunJob
    | Happened
    | ViewChanged
    | ActionRefused
    | ChatReceived
    | ReactionSeen
    | SeatsAwaited
    | NodeStopped
)
"""What a replica and the sessions of its seats ask of their node."""

HostOutput = (
    SendToPeer
    | Disconnect
    | AppendEntry
    | StoreStandIn
    | QuorumChanged
    | ClaimOffered
    | SpectatorsChanged
)
"""What `HostRole` asks of its node."""

RematchOutput = Send | Connect | RematchChanged
"""What `Rematch` asks of its runtime."""

LobbyHostOutput = SendToPeer | Disconnect | SpectatorsChanged | TableBegan
"""What `Lobby` asks of its runtime."""

LobbyPeerOutput = SendToHost | Happened | ChatReceived | TurnedAway | TableBegan
"""What `LobbyPeer` asks of its runtime."""

RuntimeOutput = NodeOutput | RematchOutput
"""What `NodeRuntime` carries out."""

Output = NodeOutput | SeatOutput | HostOutput | RematchOutput | LobbyHostOutput | LobbyPeerOutput
