"""What the machines of this package ask their driver to do, in the order in which it must be done.

A driver carries out the list from first to last: what is to be on disk stands before what is to be
sent. Nothing here does anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from lanuno.log.bodies import SignedBody
from lanuno.log.entries import Entry
from lanuno.log.faults import Blame
from lanuno.log.genesis import Genesis
from lanuno.table.messages import AtTable, FromHost, FromPeer, LobbyRefusal, Reaction

Peer = int
"""A connection, as the driver numbers it."""

OWN: Peer = -1
"""This computer as its own office names it; connections have numbers from 0."""


@dataclass(frozen=True, slots=True, repr=False)
class ToHost:
    """Send a message to the host."""

    message: FromPeer

    def __repr__(self) -> str:
        # What is in it is public only once it is in the log.
        return f"ToHost({type(self.message).__name__})"


@dataclass(frozen=True, slots=True, repr=False)
class ToPeer:
    """Send a message to one peer."""

    peer: Peer
    message: FromHost

    def __repr__(self) -> str:
        return f"ToPeer({self.peer}, {type(self.message).__name__})"


@dataclass(frozen=True, slots=True, repr=False)
class ToLink:
    """Send a message over a connection to another computer at the table."""

    link: Peer
    message: AtTable

    def __repr__(self) -> str:
        return f"ToLink({self.link}, {type(self.message).__name__})"


@dataclass(frozen=True, slots=True)
class Dial:
    """Connect to the computer of an owner; ends in `linked` or `unreachable`."""

    seat: int
    places: tuple[tuple[str, int], ...]
    """Addresses and ports where it may be, the likeliest first; more may be known elsewhere."""


@dataclass(frozen=True, slots=True)
class HangUp:
    """Close a connection after what was sent over it."""

    link: Peer


@dataclass(frozen=True, slots=True)
class Hosting:
    """This computer is the host of the table from now on, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class TableFrozen:
    """Nothing can become certain: fewer than a majority of the owners are in contact.

    Told again, with `here >= wanted`, when that is over.
    """

    here: int
    wanted: int


@dataclass(frozen=True, slots=True)
class MayClaim:
    """The person at the host may end the wait for these seats (`Member.claim`), or wait on.

    Their player fell silent where two owners are left, and the grace time is over: nobody can know
    whose network failed, so no time drops anybody. Told again, without seats, when that is over.
    """

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Close the connection to a peer after what was sent to it."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class KeepGenesis:
    """Begin the journal of this table: write its genesis to disk."""

    genesis: Genesis


@dataclass(frozen=True, slots=True)
class KeepEntry:
    """Append an entry to the journal, before anything that follows in the list."""

    entry: Entry


@dataclass(frozen=True, slots=True, repr=False)
class KeepSecret:
    """Write a secret of a round to the private sidecar and flush it to the disk itself."""

    seat: int
    open: bytes
    """Hash of the round's Open entry."""
    label: str
    secret: bytes

    def __repr__(self) -> str:
        return f"KeepSecret(seat={self.seat}, label={self.label!r}, <secret>)"


@dataclass(frozen=True, slots=True, repr=False)
class KeepBody:
    """Write own signed bytes to the private sidecar, so that they are never signed anew.

    That the counter was used must be on the disk itself.
    """

    seat: int
    counter: int
    signed: SignedBody

    def __repr__(self) -> str:
        return f"KeepBody(seat={self.seat}, counter={self.counter}, <signed>)"


@dataclass(frozen=True, slots=True, repr=False)
class KeepBot:
    """Write the private key of a bot that fills in to the sidecar, and flush it to the disk itself.

    What it signs follows in the list.
    """

    seat: int
    seed: bytes

    def __repr__(self) -> str:
        return f"KeepBot(seat={self.seat}, <secret>)"


@dataclass(frozen=True, slots=True)
class KeepVote:
    """Write an own vote to the private sidecar and flush it to the disk itself."""

    term: int
    data: bytes


@dataclass(frozen=True, slots=True)
class KeepRelease:
    """Record that a secret is released, on the disk itself; the body that releases it follows."""

    seat: int
    counter: int
    """Of the body."""
    count: int
    """Number of entries up to the one that asks for the secret, itself included."""
    head: bytes
    """Hash of that entry: no log without it is ever followed again."""


@dataclass(frozen=True, slots=True)
class Sync:
    """Make the journal survive a loss of power, then call `synced` with this."""

    count: int
    """Entries in the journal."""
    cuts: int
    """How often the journal's end was cut off before: what is said of an earlier end is void."""


@dataclass(frozen=True, slots=True)
class CutEntries:
    """The journal goes on behind its first `count` entries; what followed them is set aside."""

    count: int


@dataclass(frozen=True, slots=True)
class KeepOtherEnd:
    """Set aside entries that stand elsewhere behind the first `count` of the journal.

    The journal stays as it is.
    """

    count: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Compute:
    """Run a pure function away from the event loop and hand its result to `computed`."""

    job: int
    work: Callable[[], object]

    def __repr__(self) -> str:
        return f"Compute(job={self.job})"


@dataclass(frozen=True, slots=True)
class Happened:
    """Something public happened: an event of the log or of the rules."""

    event: object


@dataclass(frozen=True, slots=True)
class Changed:
    """The view of this seat is another than before: look at it again."""


@dataclass(frozen=True, slots=True)
class ActionRefused:
    """The host did not take an action of this seat."""

    refusal: str
    detail: str


@dataclass(frozen=True, slots=True)
class ChatHeard:
    """Somebody said something."""

    name: str
    seat: int
    """-1 for somebody who watches."""
    text: str = field(repr=False)
    watcher: bytes | None = None
    """Identity of somebody who watches."""


@dataclass(frozen=True, slots=True)
class ReactionSeen:
    """A player shows something to everybody."""

    name: str
    seat: int
    reaction: Reaction


@dataclass(frozen=True, slots=True)
class RematchStands:
    """Who of a closed table wants to play again."""

    here: tuple[int, ...]
    """Seats of those who could."""
    wanted: tuple[int, ...]
    """Seats of those who want to, in the order in which they said so."""
    opener: int | None
    """Seat of the person whose computer opens the next table, once that is decided."""
    mine: bool
    """Whether the person here wants to."""


@dataclass(frozen=True, slots=True)
class Spectator:
    """Somebody who watches, as the host knows them."""

    name: str
    identity: bytes


@dataclass(frozen=True, slots=True)
class SpectatorsChanged:
    """These watch the table of which this computer is the host."""

    spectators: tuple[Spectator, ...]


@dataclass(frozen=True, slots=True)
class TableWaits:
    """The table waits for somebody, or, without seats, for nobody any more."""

    seats: tuple[int, ...]
    seconds: float
    """At the most. Without seats: what is left of the open decision; 0 if it has no clock."""


def shown_seconds(seconds: float) -> int:
    """Whole seconds left, rounded up: all clocks and messages show this number."""
    return max(0, ceil(seconds))


@dataclass(frozen=True, slots=True)
class Stopped:
    """This peer goes no further: what it received cannot be. The evidence is on disk."""

    blame: Blame
    """`seat` is None where it cannot be proven to others; the host is then only suspected."""
    given_up: bool = False
    """Whether the others went on without entries that were final here: secrets may have been
    released for them, and this computer cannot go on without betraying its cards."""


@dataclass(frozen=True, slots=True)
class Doubted:
    """The owner that is followed has not shown its election, and says what cannot be the log.

    It proves nothing against anybody: the computer follows somebody else. Nothing for a driver.
    """


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """The host did not let this peer sit down."""

    why: LobbyRefusal


@dataclass(frozen=True, slots=True)
class TableBegan:
    """The log begins; the lobby's work is done."""

    genesis: Genesis


Output = (
    ToHost
    | ToPeer
    | Disconnect
    | KeepGenesis
    | KeepEntry
    | KeepSecret
    | KeepBody
    | KeepBot
    | KeepVote
    | KeepRelease
    | Sync
    | CutEntries
    | KeepOtherEnd
    | ToLink
    | Dial
    | HangUp
    | Hosting
    | TableFrozen
    | MayClaim
    | Compute
    | Happened
    | Changed
    | ActionRefused
    | ChatHeard
    | ReactionSeen
    | RematchStands
    | SpectatorsChanged
    | TableWaits
    | Stopped
    | Doubted
    | TurnedAway
    | TableBegan
)
