"""How somebody's time at a table can end, and what a computer tells of its own way. Values only."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from lanuno.net.errors import Fault, Goodbye, NetError

Observer = Callable[[object], None]
"""Told every event of the log and the rules, and every output that concerns a person."""


class Ending(Enum):
    """Why a seat's time at a table is over."""

    CLOSED = "closed"
    """The log was closed."""
    TOURNAMENT = "tournament"
    """The waiting room was that of a tournament: its tables come next."""
    TURNED_AWAY = "turned-away"
    STOPPED = "stopped"
    """What came from the host cannot be; the evidence is kept."""
    LOST = "lost"
    """There was no host in contact any more for longer than anybody waits."""
    FAILED = "failed"
    """This computer could not go on: a file that cannot be written, or a mistake of the program."""


_BY_THE_OTHER: Final = frozenset(
    {
        "the connection was closed",
        "the connection broke",
        ConnectionResetError.__name__,
        BrokenPipeError.__name__,
        ssl.SSLError.__name__,
        ssl.SSLEOFError.__name__,
    }
)
"""How a connection is said to be lost that the other computer has ended or broken."""


def silent_seconds(end: NetError | Goodbye | None, limit: float) -> float:
    """How long nothing was heard before the end; `limit` if that is why it ended."""
    silent = isinstance(end, NetError) and end.fault is Fault.LOST and "silent" in end.detail
    return limit if silent else 0.0


def went_quiet(end: NetError | Goodbye | None) -> bool:
    """Whether nothing in the end of a connection shows that the network works.

    It does if the other computer ended it, or if what came over it was refused. Not so if nothing
    came, or nothing was taken, or this computer's own system says that there is no way there.
    """
    if not isinstance(end, NetError):
        return False
    lost = end.fault is Fault.LOST and end.detail not in _BY_THE_OTHER
    return lost or end.fault is Fault.SLOW


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """This computer was out of contact, and holds the whole log again."""

    host: int
    """Seat of the host from whom it came."""
    entries: int
    """How many it had missed."""
