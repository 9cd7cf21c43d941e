"""Why a tournament cannot go on, and how that is noticed from what happens at one of its tables.

No connections and no words for people: values, and an observer of events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from lanuno.log.bodies import CloseReason, DropReason
from lanuno.log.events import SeatDropped, SeatLeft
from lanuno.log.replay import Replay
from lanuno.log.tournament import TournamentTable
from lanuno.table.messages import LobbyState
from lanuno.table.outputs import TableBegan


class Why(Enum):
    """Why a tournament is broken off."""

    LEFT = "left"
    """Somebody left, or ended the table that they host."""
    AWAY = "away"
    """Somebody did not come to a table, or did not come back to it."""
    UNREACHABLE = "unreachable"
    """The other table is not found, or its host cannot be reached any more."""
    UNFINISHED = "unfinished"
    """A table was not played to its end, or its log does not verify."""


@dataclass(frozen=True, slots=True)
class Break:
    """Why, and who is concerned."""

    why: Why
    names: tuple[str, ...] = ()


class TournamentBroken(Exception):
    """A table was not played to its end, or its log cannot be had: the tournament ends here."""

    def __init__(self, broken: Break) -> None:
        """Say why."""
        super().__init__(f"{broken.why.value}: {', '.join(broken.names)}")
        self.broken = broken


class Attendance:
    """Who is at one table of a tournament. Observes the table's events; notices who goes."""

    def __init__(
        self,
        table: TournamentTable,
        names: Mapping[bytes, str],
        on_break: Callable[[Break], None],
    ) -> None:
        """`names`: of all players by identity. `on_break` is told who left on purpose."""
        self._table = table
        self._names = names
        self._on_break = on_break
        self._here: frozenset[bytes] = frozenset()
        self.begun = False
        """Whether the log of the table has begun."""

    def see(self, event: object) -> None:
        """Take an event of the waiting room or of the log."""
        match event:
            case LobbyState() if not self.begun:
                here = frozenset(seat.identity for seat in event.seats) & {*self._table.order}
                gone, self._here = self._here - here, here
                if gone:
                    self._on_break(Break(Why.LEFT, self.called(gone)))
            case TableBegan():
                self.begun = True
            case SeatLeft() | SeatDropped(reason=DropReason.LEFT):
                self._on_break(Break(Why.LEFT, (self.name_at(event.seat),)))
            case _:
                pass

    @property
    def absent(self) -> Break:
        """Who has not come to the waiting room; its host, if it was not even found."""
        if not self._here:
            return Break(Why.AWAY, (self._names[self._table.host],))
        return Break(Why.AWAY, self.called(frozenset(self._table.order) - self._here))

    def end(self, replay: Replay | None) -> Break | None:
        """Why the log, as it is when the time at the table is over, is none of a finished table.

        None if it is one.
        """
        host = self._names[self._table.host]
        if replay is None or replay.closed is None:
            return Break(Why.UNREACHABLE, (host,))
        if replay.closed is CloseReason.FINISHED:
            return None
        if replay.dropped:
            return Break(Why.AWAY, tuple(self.name_at(seat) for seat in sorted(replay.dropped)))
        if replay.closed is CloseReason.INCOMPLETE and replay.sound:
            return Break(Why.LEFT, (host,))
        return Break(Why.UNFINISHED)

    def called(self, identities: frozenset[bytes]) -> tuple[str, ...]:
        """Names in the order of the table."""
        return tuple(self._names[each] for each in self._table.order if each in identities)

    def name_at(self, seat: int) -> str:
        """Who sits there."""
        return self._names[self._table.order[seat]]
