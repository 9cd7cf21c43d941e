"""How a node's time at a table can end, and the events that a runtime reports. Values only."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from enum import Enum
from typing import Final

from msgspec import Struct

from lanuno.log.round.events import LogEvent
from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.table import messages, outputs


class TableEnding(Enum):
    """Why a node's time at a table has ended."""

    CLOSED = "closed"
    """The log was closed."""
    TOURNAMENT = "tournament"
    """The lobby was that of a tournament, whose tables come next."""
    TURNED_AWAY = "turned-away"
    """The host refused this node a seat, or ended its visit."""
    STOPPED = "stopped"
    """The host sent something impossible. The evidence is kept."""
    LOST = "lost"
    """The node had no contact with a host for longer than the search deadline, or left."""
    FAILED = "failed"
    """This node failed: a file could not be written, or a bug."""


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
"""Error details that mean that the peer closed or broke the connection."""


def silent_seconds(end: NetError | Goodbye | None, limit: float) -> float:
    """Return `limit` if silence ended the connection, else 0. In seconds."""
    silent = isinstance(end, NetError) and end.fault is NetFault.LOST and "silent" in end.detail
    return limit if silent else 0.0


def went_quiet(end: NetError | Goodbye | None) -> bool:
    """Whether a connection ended without any sign that the network still works.

    If the peer ended the connection, or sent a message that was refused, the network works. If the
    peer was silent or read nothing, or if this computer has no route, the network may have failed.
    """
    if not isinstance(end, NetError):
        return False
    lost = end.fault is NetFault.LOST and end.detail not in _CLOSED_BY_PEER
    return lost or end.fault is NetFault.SLOW


class CaughtUp(Struct, frozen=True):
    """This node was out of contact, and has the whole log again."""

    host: int
    """Seat of the host that sent the entries."""
    entries: int
    """The number of entries that it had missed."""


class PlaysElsewhere(Struct, frozen=True):
    """According to the host, another program has connected with the identity of this one."""


RuntimeEvent = (
    LogEvent
    | CaughtUp
    | PlaysElsewhere
    | messages.LobbyState
    | outputs.ActionRefused
    | outputs.ChatReceived
    | outputs.ClaimOffered
    | outputs.HostingChanged
    | outputs.NodeStopped
    | outputs.QuorumChanged
    | outputs.ReactionSeen
    | outputs.RematchChanged
    | outputs.RoundHalted
    | outputs.SeatsAwaited
    | outputs.Send
    | outputs.SpectatorsChanged
    | outputs.TableBegan
    | outputs.TruncateJournal
    | outputs.TurnedAway
    | outputs.ViewChanged
)
"""The events that a runtime reports: from the log, the lobby and its own node."""

Observer = Callable[[RuntimeEvent], None]
"""Called with every event of a runtime, in order."""
