"""How somebody's time at a table can end, and what a computer tells of its own way. Values only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

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


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """This computer was out of contact, and holds the whole log again."""

    host: int
    """Seat of the host from whom it came."""
    entries: int
    """How many it had missed."""
