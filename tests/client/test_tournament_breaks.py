"""What the events at a table of a tournament tell of its players: no network."""

from __future__ import annotations

from lanuno.client.tournament_breaks import (
    Attendance,
    BreakReason,
    TournamentBreak,
)
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.replay import Replay
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.match.tournament import SCHEDULE
from lanuno.table.messages import LobbyPhase, LobbySeat, LobbyState
from tests.harness.log_table.log_table import identity
from tests.harness.log_table.tournaments import RULES, table_genesis, tournament_genesis

HOST_A, GUEST_A = SCHEDULE[0][0][0], SCHEDULE[0][0][2]
"""The host and a guest of table A in the first rotation."""


def test_what_is_told_of_a_table() -> None:
    """Who came, who left, and how the log ended."""
    table = TournamentReplay(tournament_genesis()).table(0)
    names = {key: f"p{number}" for number, key in zip(table.players, table.order, strict=True)}
    told: list[TournamentBreak] = []
    first = Attendance(table, names, told.append)
    assert first.absent == TournamentBreak(BreakReason.AWAY, (f"p{HOST_A}",))
    first.observe(room(HOST_A, GUEST_A, 6))
    first.observe(room(HOST_A, 6))
    assert told == [TournamentBreak(BreakReason.LEFT, (f"p{GUEST_A}",))]
    assert first.absent.names == tuple(f"p{number}" for number in table.players[1:])
    assert first.break_at_end(None) == TournamentBreak(BreakReason.UNREACHABLE, (f"p{HOST_A}",))
    replay = Replay(table_genesis(table))
    assert first.break_at_end(replay) == TournamentBreak(BreakReason.UNREACHABLE, (f"p{HOST_A}",))
    replay.closed = CloseReason.INCOMPLETE
    assert first.break_at_end(replay) == TournamentBreak(BreakReason.LEFT, (f"p{HOST_A}",))
    replay.closed = CloseReason.TOO_LONG
    assert first.break_at_end(replay) == TournamentBreak(BreakReason.UNFINISHED)
    replay.absence.dropped[2] = DropReason.LOST
    assert first.break_at_end(replay) == TournamentBreak(BreakReason.AWAY, (f"p{GUEST_A}",))
    replay.closed = CloseReason.FINISHED
    assert first.break_at_end(replay) is None


def room(*here: int) -> LobbyState:
    """Return a waiting room with these players."""
    seats = tuple(
        LobbySeat(f"p{each}", identity(each).public, identity(each).public, False, True)
        for each in here
    )
    return LobbyState(b"lobby", "R1 A", LobbyPhase.OPEN, RULES, 4, seats, 0)
