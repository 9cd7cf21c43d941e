"""What the machines of this package ask their driver to do, in the order in which it must be done.

A driver carries out the list from first to last: what is to be on disk stands before what is to be
sent. Nothing here does anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lanuno.log.entries import Entry
from lanuno.log.faults import Blame
from lanuno.log.genesis import Genesis
from lanuno.table.messages import FromHost, FromPeer, LobbyRefusal

Peer = int
"""A connection, as the driver numbers it."""


@dataclass(frozen=True, slots=True, repr=False)
class ToHost:
    """Send a message to the host."""

    message: FromPeer

    def __repr__(self) -> str:
        # What is in it is public only once it is in the log.
        return f"ToHost({type(self.message).__name__})"


@dataclass(frozen=True, slots=True)
class ToPeer:
    """Send a message to one peer."""

    peer: Peer
    message: FromHost


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

    round: int
    label: str
    secret: bytes

    def __repr__(self) -> str:
        return f"KeepSecret(round={self.round}, label={self.label!r}, <secret>)"


@dataclass(frozen=True, slots=True, repr=False)
class KeepBody:
    """Write own signed bytes to the private sidecar, so that they are never signed anew."""

    counter: int
    data: bytes

    def __repr__(self) -> str:
        return f"KeepBody(counter={self.counter}, <{len(self.data)} bytes>)"


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
    text: str


@dataclass(frozen=True, slots=True)
class TableWaits:
    """The table waits for somebody."""

    seats: tuple[int, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """This peer goes no further: what it received cannot be. The evidence is on disk."""

    blame: Blame
    """`seat` is None where it cannot be proven to others; the host is then only suspected."""


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
    | Compute
    | Happened
    | Changed
    | ActionRefused
    | ChatHeard
    | TableWaits
    | Stopped
    | TurnedAway
    | TableBegan
)
