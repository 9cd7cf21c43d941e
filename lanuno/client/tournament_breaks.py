"""Reasons to break off a tournament, and how the events at one of its tables reveal them.

No connections and no user-visible texts: values, and an observer of events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from enum import Enum

from msgspec import Struct

from lanuno.client.texts import Texts
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import LeaveAnnounced, SeatDropped
from lanuno.log.tournament import TournamentTable
from lanuno.net.runtime.endings import RuntimeEvent
from lanuno.table.messages import LobbyState
from lanuno.table.outputs import TableBegan


class BreakReason(Enum):
    """Why a tournament is broken off."""

    LEFT = "left"
    """A player left."""
    ENDED = "ended"
    """A host ended its table, perhaps only because of a break that others do not see."""
    AWAY = "away"
    """A player did not come to a table, or did not return to it."""
    UNREACHABLE = "unreachable"
    """The other table cannot be found, or its host can no longer be reached."""
    UNFINISHED = "unfinished"
    """A table was not played to its end, or its log does not verify."""


class TournamentBreak(Struct, frozen=True):
    """The reason for a break, and the names of the players concerned."""

    why: BreakReason
    names: tuple[str, ...] = ()
    said_by: str = ""
    """The host on whose word alone this rests; "" if it was signed, or seen by this node itself."""

    def words(self, text: Texts, names: str, host: str) -> str:
        """Return the reason as a phrase that contains these `names` and this `host`."""
        said = text.counted_member(self.why, len(self.names), names=names)
        return text("tournament.said_by", host=host, why=said) if self.said_by else said


class TournamentBroken(Exception):
    """The tournament ends: a table was not played to its end, or its log cannot be fetched."""

    def __init__(self, broken: TournamentBreak) -> None:
        """`broken`: the reason."""
        super().__init__(f"{broken.why.value}: {', '.join(broken.names)}")
        self.broken = broken


class Attendance:
    """Tracks the players at one table of a tournament and reports those who leave."""

    def __init__(
        self,
        table: TournamentTable,
        me: bytes,
        names: Mapping[bytes, str],
        on_break: Callable[[TournamentBreak], None],
    ) -> None:
        """`me`: this player. `names`: by identity. `on_break`: receives who left on purpose."""
        self._table = table
        self._names = names
        self._on_break = on_break
        self._host = names[table.host]
        self._said_by = "" if me == table.host else self._host
        self._here: frozenset[bytes] = frozenset()
        self.begun = False
        """Whether the log of the table has begun."""

    def observe(self, event: RuntimeEvent) -> None:
        """Process an event of the lobby or of the log."""
        match event:
            case LobbyState() if not self.begun:
                here = frozenset(seat.identity for seat in event.seats) & {*self._table.order}
                gone, self._here = self._here - here, here
                if gone:
                    names = self.names_of(gone)
                    self._on_break(TournamentBreak(BreakReason.LEFT, names, self._said_by))
            case TableBegan():
                self.begun = True
            case LeaveAnnounced() | SeatDropped(reason=DropReason.LEFT):
                self._on_break(TournamentBreak(BreakReason.LEFT, (self.name_at(event.seat),)))
            case _:
                pass

    @property
    def absent(self) -> TournamentBreak:
        """The players who did not come to the lobby; its host, if the lobby was not found."""
        if not self._here:
            return TournamentBreak(BreakReason.AWAY, (self._host,))
        missing = self.names_of(frozenset(self._table.order) - self._here)
        if not missing:
            return TournamentBreak(BreakReason.UNFINISHED)
        return TournamentBreak(BreakReason.AWAY, missing, self._said_by)

    def break_at_end(self, replay: Replay | None) -> TournamentBreak | None:
        """Return why the table with this log was not finished; None if it was.

        Call this once play at the table is over for this node.
        """
        if replay is None or replay.closed is None:
            return TournamentBreak(BreakReason.UNREACHABLE, (self._host,))
        if replay.closed is CloseReason.FINISHED:
            return None
        if replay.dropped:
            names = tuple(self.name_at(seat) for seat in sorted(replay.dropped))
            return TournamentBreak(BreakReason.AWAY, names, self._said_by)
        if replay.closed is CloseReason.INCOMPLETE and replay.can_continue:
            return TournamentBreak(BreakReason.ENDED, (self._host,))
        return TournamentBreak(BreakReason.UNFINISHED)

    def names_of(self, identities: Set[bytes]) -> tuple[str, ...]:
        """Return the names of these players, in seat order."""
        return tuple(self._names[each] for each in self._table.order if each in identities)

    def name_at(self, seat: int) -> str:
        """Return the name of the player in a seat."""
        return self._names[self._table.order[seat]]
