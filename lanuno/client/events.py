"""The events of a table session, for its user interface. Values only.

The window receives at most one `TableUpdated` per step of the event loop. The commands receive each
`LogEvent` and `NodeEvent` separately, and its meaning for a person as `SessionNotice`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from lanuno.client.snapshot import TableSnapshot
from lanuno.client.tournament_breaks import TournamentBreak
from lanuno.log.format.genesis import Genesis
from lanuno.log.replay.course import Decided
from lanuno.log.round.events import LogEvent
from lanuno.net.errors import NetFault
from lanuno.table import messages, outputs

NodeEvent = outputs.HostingChanged | outputs.TruncateJournal | outputs.ViewChanged
"""A change of this node that may change its player's view of the table."""


class TableUpdated(Struct, frozen=True):
    """The present state of the table, and what happened since the previous snapshot."""

    snapshot: TableSnapshot
    happened: tuple[LogEvent | NodeEvent, ...]
    """In order of occurrence."""
    at: float
    """Time on the monotonic clock."""


class SessionNotice(Struct, frozen=True):
    """Something that happened to the table besides the game, for a person and for JSON."""

    id: str
    """Id of the message that describes it."""
    values: Mapping[str, object]
    """The values of the message, not translated: names, numbers, rules, enum members."""
    lasting: bool
    """False if it is temporary or concerns only this computer."""


class LobbyOpened(Struct, frozen=True):
    """A table hosted here can now be joined. Carries its links and codes."""

    links: tuple[str, ...]
    codes: tuple[str, ...]
    table: str
    """Name of the table."""
    port: int
    multicast_fault: NetFault | None = None
    """Why the table is not announced by multicast DNS, or None."""


class HostReached(Struct, frozen=True):
    """The host of a table was reached and has proved its identity."""

    address: str
    port: int
    fingerprint: str
    identity: bytes
    context: bytes
    """Id of the waiting room or the table, as proved by its host."""


class TableResumed(Struct, frozen=True):
    """An interrupted table is about to be resumed."""

    table: str
    """Name of the table; the beginning of its id if it has no name."""
    entries: int
    """Number of log entries stored here."""
    over: bool
    """Whether the log is closed. Other players may still need its last entries."""


class TournamentBegan(Struct, frozen=True):
    """All eight players have signed. The tables of the tournament follow one after another.

    Also emitted when a program goes on with a tournament, before the table to which it returns.
    """

    genesis: Genesis


class TournamentStanding(Struct, frozen=True, kw_only=True):
    """The standing of a tournament: names, avatars and totals, with one item per player."""

    names: tuple[str, ...]
    avatars: tuple[int, ...]
    totals: tuple[int, ...]
    """Points from the rotations that both tables have finished."""
    mine: int
    rotation: int
    """Number of finished rotations."""
    rotations: int
    winners: tuple[int, ...]
    """Empty until the tournament is over."""
    awaiting_other_table: bool
    """Whether this player is waiting for the other table."""
    broken: TournamentBreak | None
    """Why the tournament was broken off, or None."""
    decided: Decided | None = None
    """What decided the tables so far; None before the first result."""


SessionEvent = (
    TableUpdated
    | LogEvent
    | NodeEvent
    | SessionNotice
    | TournamentBegan
    | TournamentStanding
    | LobbyOpened
    | HostReached
    | TableResumed
    | messages.LobbyState
    | outputs.ActionRefused
    | outputs.ChatReceived
    | outputs.NodeStopped
    | outputs.ReactionSeen
    | outputs.RematchChanged
    | outputs.SpectatorsChanged
    | outputs.TableBegan
    | outputs.TurnedAway
)
"""The events that a session emits for its user interface."""
