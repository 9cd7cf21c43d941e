"""Outputs: values by which the machines of this package say what their caller must do.

The unions at the end list the outputs of each machine. `Node` routes the outputs of its sessions,
its host role and its voter; `NodeRuntime` carries out the outputs of the node. The caller carries
out a list from first to last: what must be on disk comes before what is to be sent.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from msgspec import Struct

from lanuno.log.faults import Blame
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.round.events import LogEvent
from lanuno.table.messages import (
    AtTable,
    LobbyRefusal,
    LobbyState,
    Reaction,
    ReadsScore,
)

Link = int
"""A connection, by its number at this node."""

OWN: Link = -1
"""From the host role to this node's own replica and sessions. Connections are numbered from 0."""
TO_HOST: Link = -2
"""The link to the host, which the caller knows."""


class Send(Struct, frozen=True):
    """Send a message to another node."""

    link: Link
    message: AtTable

    def __repr__(self) -> str:
        # What a body holds is public only once it is in the log.
        return f"Send({self.link}, {type(self.message).__name__})"


class Connect(Struct, frozen=True):
    """Connect to an owner's node, then report `LinkUp` or `ConnectFailed`."""

    seat: int
    places: tuple[tuple[str, int], ...]
    """Addresses and ports to try, likeliest first. The runtime may know more."""


class CloseLink(Struct, frozen=True):
    """Close a connection, after sending everything queued for it."""

    link: Link
    replaced: bool = False
    """Whether the same identity has opened a newer connection."""


class HostingChanged(Struct, frozen=True):
    """This node has become the host of the table, or is no longer the host."""

    on: bool


class QuorumChanged(Struct, frozen=True):
    """The quorum is lost or regained.

    Without a quorum (`here < wanted`) fewer than a majority of the owners are in contact. Nothing
    becomes final, and nobody can be dropped. Emitted again with `here >= wanted` when it is back.
    """

    here: int
    wanted: int


class ClaimOffered(Struct, frozen=True):
    """The person at the host may end the wait for these seats (`Node.claim`), or keep waiting.

    Two owners are left, one of them is silent, and its grace time is over. The host cannot know
    whose network failed, so it drops no seat by time alone. Emitted again, without seats, when the
    claim is no longer possible.
    """

    seats: tuple[int, ...]


class StartBroken(Struct, frozen=True):
    """A seat was lost while the table started, so that all others start again."""

    link: Link
    """The connection of that seat."""


class StoreGenesis(Struct, frozen=True):
    """Begin the journal of this table: write the genesis to disk."""

    genesis: Genesis


class AppendEntry(Struct, frozen=True):
    """Append an entry to the journal, before carrying out the rest of the list."""

    entry: Entry


class StoreSeed(Struct, frozen=True):
    """Write a secret of a round to the private sidecar and sync it to disk."""

    seat: int
    open: bytes
    """Hash of the round's Open entry."""
    label: str
    secret: bytes

    def __repr__(self) -> str:
        return f"StoreSeed(seat={self.seat}, label={self.label!r}, <secret>)"


class StoreBody(Struct, frozen=True):
    """Write a body signed by this node to the private sidecar, so that its counter is not reused.

    The record that the counter is used must be synced to disk.
    """

    seat: int
    counter: int
    signed: SignedBody

    def __repr__(self) -> str:
        return f"StoreBody(seat={self.seat}, counter={self.counter}, <signed>)"


class StoreStandIn(Struct, frozen=True):
    """Write the private key of a stand-in to the sidecar and sync it to disk.

    The body that it signs follows in the list.
    """

    seat: int
    seed: bytes

    def __repr__(self) -> str:
        return f"StoreStandIn(seat={self.seat}, <secret>)"


class StoreVote(Struct, frozen=True):
    """Write a vote of this owner to the private sidecar and sync it to disk."""

    term: int
    data: bytes


class StoreRelease(Struct, frozen=True):
    """Record on disk, synced, that a secret is released. The body that releases it follows."""

    seat: int
    counter: int
    """Counter of the body."""
    count: int
    """Number of entries up to and including the one that asks for the secret."""
    head: bytes
    """Hash of that entry. The node never again follows a log without it."""


class SyncJournal(Struct, frozen=True):
    """Make the journal survive a power failure, then report `JournalSynced`."""

    count: int
    """Number of entries in the journal."""
    cuts: int
    """How often the journal has been truncated. A sync from before a truncation does not count."""


class TruncateJournal(Struct, frozen=True):
    """Truncate the journal to its first `count` entries, and set the removed entries aside."""

    count: int


class StoreOtherEnd(Struct, frozen=True):
    """Set aside entries of another log, which follow the first `count` entries of the journal.

    The journal itself does not change.
    """

    count: int
    entries: tuple[Entry, ...]


class RunJob(Struct, frozen=True):
    """Run a pure function outside the event loop and report `JobDone` with its result."""

    job: int
    work: Callable[[], object]

    def __repr__(self) -> str:
        return f"RunJob(job={self.job})"


class Happened(Struct, frozen=True):
    """A public event of the log, of the rules, or of the lobby."""

    event: LogEvent | LobbyState


class ViewChanged(Struct, frozen=True):
    """The seat view has changed and must be read again."""


class ActionRefused(Struct, frozen=True):
    """The host refused an action of this seat."""

    refusal: str
    detail: str


class RoundHalted(Struct, frozen=True):
    """A seat of this node has found a fault and signed a Halt: it plays nothing more in the round.

    The round is over only once the host has appended the Halt.
    """

    seat: int


class ChatReceived(Struct, frozen=True):
    """A player or a spectator wrote a line of chat."""

    name: str
    seat: int
    """Seat of the player; -1 for a spectator."""
    text: str
    spectator: bytes | None = None
    """Identity of the spectator; None for a player."""

    def __repr__(self) -> str:
        # What people write is private.
        return f"ChatReceived(name={self.name!r}, seat={self.seat}, <private>)"


class ReactionSeen(Struct, frozen=True):
    """A player's reaction."""

    name: str
    seat: int
    reaction: Reaction


class ScoreReader(Struct, frozen=True):
    """As host: what an owner says about looking at the score. Bots wait for those who do."""

    seat: int
    said: ReadsScore


class RematchChanged(Struct, frozen=True):
    """Who wants to play again after a closed table, or who opens the next one."""

    here: tuple[int, ...]
    """Seats of the people who are still here."""
    wanted: tuple[int, ...]
    """Seats of the people who want to play again, in the order of their requests."""
    opener: int | None
    """Seat of the player whose node opens the next table; None until that is known."""


class Spectator(Struct, frozen=True):
    """A person who watches a table without a seat, as the host knows them."""

    name: str
    identity: bytes


class SpectatorsChanged(Struct, frozen=True):
    """At the host: the people who watch the table have changed to these."""

    spectators: tuple[Spectator, ...]


class SeatsAwaited(Struct, frozen=True):
    """The table waits for these seats. Without seats, it no longer waits for any."""

    seats: tuple[int, ...]
    seconds: float
    """The longest wait. Without seats: the time left for the open decision, 0 without a clock."""


def shown_seconds(seconds: float) -> int:
    """Return the whole seconds left, rounded up, as all clocks and messages show them."""
    return max(0, ceil(seconds))


class NodeStopped(Struct, frozen=True):
    """This node stops: no honest host can have sent what it received. The evidence is stored."""

    blame: Blame
    """`seat` is None if the fault cannot be proven to others. The host is then only suspected."""
    given_up: bool = False
    """Whether the peers continued without entries that were final here. Secrets may have been
    released for these entries, so this node could not continue without revealing its cards."""


class EntriesOnDisk(Struct, frozen=True):
    """The first `count` entries of the log are on this node's disk, and its host has them too."""

    count: int


class HostDoubted(Struct, frozen=True):
    """The followed owner has not proven its election and sends entries that cannot be of the log.

    This proves no fault. The node gives that owner up and looks for another host.
    """


class TurnedAway(Struct, frozen=True):
    """The host refused this peer a seat or sent it away, or the peer refuses the host's table."""

    why: LobbyRefusal


class TableBegan(Struct, frozen=True):
    """The log begins, and the lobby ends."""

    genesis: Genesis


SeatStoreOutput = (
    StoreGenesis
    | AppendEntry
    | StoreSeed
    | StoreBody
    | StoreRelease
    | TruncateJournal
    | StoreOtherEnd
)
StoreOutput = SeatStoreOutput | StoreStandIn | StoreVote
"""Writes to the node's own disk, to be done before the rest of the list is carried out."""

SeatReport = (
    Happened
    | ViewChanged
    | ActionRefused
    | RoundHalted
    | ChatReceived
    | ReactionSeen
    | SeatsAwaited
    | NodeStopped
)
HostReport = QuorumChanged | ClaimOffered | SpectatorsChanged | ScoreReader
ReportOutput = SeatReport | HostReport | HostingChanged
"""Reports to the people and bots that play on the node."""

NodeOutput = StoreOutput | SyncJournal | RunJob | Send | Connect | CloseLink | ReportOutput
"""The outputs of `Node`, for its runtime."""

SeatOutput = (
    Send | EntriesOnDisk | HostDoubted | SeatStoreOutput | SyncJournal | RunJob | SeatReport
)
"""The outputs of a replica and of the sessions that read it, for their node."""

HostOutput = Send | CloseLink | AppendEntry | StoreStandIn | HostReport
"""The outputs of `HostRole`, for its node."""

LobbyHostOutput = Send | CloseLink | SpectatorsChanged | StartBroken | TableBegan
"""The outputs of `Lobby`, for its runtime."""

LobbyPeerOutput = Send | Happened | ChatReceived | TurnedAway | TableBegan
"""The outputs of `LobbyPeer`, for its runtime."""

RuntimeOutput = NodeOutput | RematchChanged
"""Everything that `NodeRuntime` carries out."""

Output = NodeOutput | SeatOutput | HostOutput | RematchChanged | LobbyHostOutput | LobbyPeerOutput
