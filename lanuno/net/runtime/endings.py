"""How a node's time at a table can end, and what it reports of its own state. Values only."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from lanuno.log.round.events import LogEvent
from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.table import messages, outputs


class TableEnding(Enum):
    """Why a node's time at a table is over."""

    CLOSED = "closed"
    """The log was closed."""
    TOURNAMENT = "tournament"
    """The lobby was that of a tournament: its tables come next."""
    TURNED_AWAY = "turned-away"
    STOPPED = "stopped"
    """The host sent something impossible; the evidence is kept."""
    LOST = "lost"
    """There was no contact to a host for longer than the search deadline."""
    FAILED = "failed"
    """This node could not go on: a file that cannot be written, or a bug."""


_CLOSED_BY_PEER: Final = frozenset(
    {
        "the connection was closed",
        "the connection broke",
        ConnectionResetError.__name__,
        BrokenPipeError.__name__,
        ssl.SSLError.__name__,
        ssl.SSLEOFError.__name__,
    }
)
"""Details of errors that mean that the peer closed or broke the connection."""


def silent_seconds(end: NetError | Goodbye | None, limit: float) -> float:
    """Seconds of silence before the end: `limit` if silence ended the connection, else 0."""
    silent = isinstance(end, NetError) and end.fault is NetFault.LOST and "silent" in end.detail
    return limit if silent else 0.0


def went_quiet(end: NetError | Goodbye | None) -> bool:
    """Whether a connection ended without a sign that the network still works.

    There is a sign if the peer ended the connection, or if a message of the peer was refused. There
    is none if nothing arrived, nothing was taken, or this system reports no route.
    """
    if not isinstance(end, NetError):
        return False
    lost = end.fault is NetFault.LOST and end.detail not in _CLOSED_BY_PEER
    return lost or end.fault is NetFault.SLOW


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """This node was out of contact, and holds the whole log again."""

    host: int
    """Seat of the host that sent the entries."""
    entries: int
    """The number of entries it had missed."""


RuntimeEvent = (
    LogEvent
    | CaughtUp
    | messages.LobbyState
    | outputs.ActionRefused
    | outputs.ChatReceived
    | outputs.ClaimOffered
    | outputs.HostingChanged
    | outputs.NodeStopped
    | outputs.QuorumChanged
    | outputs.ReactionSeen
    | outputs.RematchChanged
    | outputs.SeatsAwaited
    | outputs.Send
    | outputs.SpectatorsChanged
    | outputs.TableBegan
    | outputs.TruncateJournal
    | outputs.TurnedAway
    | outputs.ViewChanged
)
"""What a runtime reports: events of the log, of the lobby and of its own node."""

Observer = Callable[[RuntimeEvent], None]
"""Called with every event of a runtime, in order."""
