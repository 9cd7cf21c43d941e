"""The events of a table session: what its user interface shows. Values only.

The window gets a `TableUpdated` once per step of the event loop. The commands get each `LogEvent`
and `NodeEvent` by itself instead, with what it means to a person as `SessionNotice`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lanuno.client.snapshot import TableSnapshot
from lanuno.client.tournament_breaks import TournamentBreak
from lanuno.log.format.genesis import Genesis
from lanuno.log.round.events import LogEvent
from lanuno.table import messages, outputs

NodeEvent = outputs.HostingChanged | outputs.TruncateJournal | outputs.ViewChanged
"""A change of this node after which its player may see the table in another way."""


@dataclass(frozen=True, slots=True)
class TableUpdated:
    """The table now, and what happened since the previous snapshot."""

    snapshot: TableSnapshot
    happened: tuple[LogEvent | NodeEvent, ...]
    """In the order in which it happened."""
    at: float
    """On the steady clock."""


@dataclass(frozen=True, slots=True)
class SessionNotice:
    """Something that happened to the table besides the game, for a person and for JSON."""

    id: str
    """Of the message that says it."""
    values: Mapping[str, object]
    """What the message needs, without words: names, numbers, rules, members of enumerations."""
    lasting: bool
    """False if it holds only for a while or concerns this computer alone."""


@dataclass(frozen=True, slots=True)
class LobbyOpened:
    """A table hosted here can be joined: its links and codes."""

    links: tuple[str, ...]
    codes: tuple[str, ...]
    table: str
    """Its name."""
    port: int


@dataclass(frozen=True, slots=True)
class HostReached:
    """The host of a table was reached, and has proved who it is."""

    address: str
    port: int
    fingerprint: str
    identity: bytes
    context: bytes
    """Id of the waiting room or the table, as its host has proved it."""


@dataclass(frozen=True, slots=True)
class TableResumed:
    """An interrupted table is about to be resumed."""

    table: str
    """Its name; the beginning of its id if it has none."""
    entries: int
    """How many entries of its log are here."""
    over: bool
    """Whether the log is closed: the others may still need its end."""


@dataclass(frozen=True, slots=True)
class TournamentBegan:
    """All eight have signed: the tables of the tournament come one after the other."""

    genesis: Genesis


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentStanding:
    """How a tournament stands, by player."""

    names: tuple[str, ...]
    avatars: tuple[int, ...]
    totals: tuple[int, ...]
    """From the rotations that both tables have finished."""
    mine: int
    rotation: int
    """How many rotations are finished."""
    rotations: int
    winners: tuple[int, ...]
    """Once it is over."""
    awaiting_other_table: bool
    """Whether the other table is waited for."""
    broken: TournamentBreak | None
    """Why it had to be broken off, if it had to."""


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
"""What happens in a session, for its user interface."""
