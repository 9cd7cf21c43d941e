"""What the events at a table of a tournament tell of its players: no network."""

from __future__ import annotations

import pytest

from lanuno.client.tournament_breaks import (
    Attendance,
    BreakReason,
    TournamentBreak,
    TournamentBroken,
)
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import LeaveAnnounced, SeatDropped
from lanuno.log.tournament import TournamentReplay, TournamentTable
from lanuno.net.runtime.endings import RuntimeEvent
from lanuno.rules.match.tournament import SCHEDULE, TOURNAMENT_PLAYERS
from lanuno.table.messages import LobbyPhase, LobbySeat, LobbyState
from lanuno.table.outputs import TableBegan
from tests.harness.log_table.log_table import identity
from tests.harness.log_table.tournaments import RULES, table_genesis, tournament_genesis

HOST_A, GUEST_A = SCHEDULE[0][0][0], SCHEDULE[0][0][2]
"""The host and a guest of table A in the first rotation."""


HOST_ENDED = TournamentBreak(BreakReason.ENDED, (f"p{HOST_A}",))
UNREACHABLE = TournamentBreak(BreakReason.UNREACHABLE, (f"p{HOST_A}",))


@pytest.fixture
def table() -> TournamentTable:
    """Table A of the first rotation, at which player 6 and another sit too."""
    return TournamentReplay(tournament_genesis()).table(0)


class Observed:
    """The attendance at a table, and the breaks that it has reported."""

    def __init__(self, table: TournamentTable, me: int = HOST_A) -> None:
        names = {key: f"p{number}" for number, key in zip(table.players, table.order, strict=True)}
        self.breaks: list[TournamentBreak] = []
        self.attendance = Attendance(table, identity(me).public, names, self.breaks.append)

    def see(self, *events: RuntimeEvent) -> list[TournamentBreak]:
        """Observe events; return all breaks so far."""
        for event in events:
            self.attendance.observe(event)
        return self.breaks


@pytest.fixture
def observed(table: TournamentTable) -> Observed:
    return Observed(table)


def room(*here: int) -> LobbyState:
    """Return a waiting room with these players."""
    seats = tuple(
        LobbySeat(f"p{each}", identity(each).public, identity(each).public, False, True)
        for each in here
    )
    return LobbyState(b"lobby", "R1 A", LobbyPhase.OPEN, RULES, 4, seats, 0)


def test_a_break_says_why_and_who() -> None:
    error = TournamentBroken(TournamentBreak(BreakReason.AWAY, ("Ana", "Beto")))
    assert str(error) == "away: Ana, Beto"
    assert error.broken.why is BreakReason.AWAY


def test_the_host_is_absent_if_the_waiting_room_was_not_found(observed: Observed) -> None:
    assert observed.attendance.absent == TournamentBreak(BreakReason.AWAY, (f"p{HOST_A}",))


def test_players_who_are_not_in_the_waiting_room_are_absent(
    observed: Observed, table: TournamentTable
) -> None:
    observed.see(room(GUEST_A, HOST_A))
    others = tuple(f"p{each}" for each in table.players if each not in (HOST_A, GUEST_A))
    assert observed.attendance.absent == TournamentBreak(BreakReason.AWAY, others)
    assert len(others) == 2


def test_a_player_who_leaves_the_waiting_room_breaks_the_tournament(observed: Observed) -> None:
    stranger = next(each for each in range(TOURNAMENT_PLAYERS) if each not in SCHEDULE[0][0])
    assert observed.see(room(HOST_A), room(HOST_A, GUEST_A, stranger)) == []
    assert observed.see(room(GUEST_A, HOST_A)) == [], "a stranger does not matter"
    assert observed.see(room(HOST_A)) == [TournamentBreak(BreakReason.LEFT, (f"p{GUEST_A}",))]


def test_players_who_leave_together_are_named_in_the_order_of_the_seats(
    observed: Observed, table: TournamentTable
) -> None:
    assert observed.see(room(*reversed(table.players)), room(HOST_A)) == [
        TournamentBreak(BreakReason.LEFT, tuple(f"p{each}" for each in table.players[1:]))
    ]


def test_what_only_a_host_says_of_others_is_reported_as_its_word(table: TournamentTable) -> None:
    """The attack: a host shows a room without a guest who is there, or drops it from the log.

    A guest and a spectator know of all others from the host alone.
    """
    host, innocent = f"p{HOST_A}", (f"p{GUEST_A}",)
    for me in (table.players[1], SCHEDULE[0][1][0]):
        observed = Observed(table, me)
        assert observed.see(room(HOST_A, GUEST_A), room(HOST_A)) == [
            TournamentBreak(BreakReason.LEFT, innocent, host)
        ]
        observed.see(room(*(each for each in table.players if each != GUEST_A)))
        away = TournamentBreak(BreakReason.AWAY, innocent, host)
        assert observed.attendance.absent == away
        replay = Replay(table_genesis(table))
        replay.closed = CloseReason.INCOMPLETE
        replay.absence.dropped[table.players.index(GUEST_A)] = DropReason.SILENT
        assert observed.attendance.break_at_end(replay) == away


def test_nobody_is_missing_from_a_room_in_which_all_sit(
    observed: Observed, table: TournamentTable
) -> None:
    """One of them may keep silent, and another may hold another log of the rotation before."""
    observed.see(room(*table.players))
    assert observed.attendance.absent == TournamentBreak(BreakReason.UNFINISHED)


def test_once_the_log_has_begun_the_waiting_room_does_not_matter(
    observed: Observed, table: TournamentTable
) -> None:
    assert not observed.attendance.begun
    assert observed.see(room(HOST_A, GUEST_A), TableBegan(table_genesis(table)), room(HOST_A)) == []
    assert observed.attendance.begun


@pytest.mark.parametrize(
    ("event", "is_break"),
    [
        (LeaveAnnounced(2), True),
        (SeatDropped(2, DropReason.LEFT), True),
        (SeatDropped(2, DropReason.LOST), False),
        (SeatDropped(2, DropReason.SILENT), False),
    ],
)
def test_only_a_player_who_leaves_on_purpose_breaks_the_tournament(
    event: LeaveAnnounced | SeatDropped, is_break: bool, observed: Observed
) -> None:
    left = TournamentBreak(BreakReason.LEFT, (f"p{GUEST_A}",))
    assert observed.see(event) == ([left] if is_break else [])


def test_a_table_without_an_end_has_lost_its_host(
    observed: Observed, table: TournamentTable
) -> None:
    assert observed.attendance.break_at_end(None) == UNREACHABLE
    assert observed.attendance.break_at_end(Replay(table_genesis(table))) == UNREACHABLE


@pytest.mark.parametrize(
    ("reason", "dropped", "expected"),
    [
        (CloseReason.FINISHED, (), None),
        (CloseReason.FINISHED, (2,), None),
        (CloseReason.INCOMPLETE, (), HOST_ENDED),
        (CloseReason.INCOMPLETE, (2,), TournamentBreak(BreakReason.AWAY, (f"p{GUEST_A}",))),
        (CloseReason.TOO_LONG, (), TournamentBreak(BreakReason.UNFINISHED)),
        (CloseReason.TOO_LONG, (2,), TournamentBreak(BreakReason.AWAY, (f"p{GUEST_A}",))),
    ],
)
def test_why_a_table_was_not_finished(
    reason: CloseReason,
    dropped: tuple[int, ...],
    expected: TournamentBreak | None,
    observed: Observed,
    table: TournamentTable,
) -> None:
    replay = Replay(table_genesis(table))
    replay.closed = reason
    for seat in dropped:
        replay.absence.dropped[seat] = DropReason.LOST
    assert observed.attendance.break_at_end(replay) == expected


def test_players_who_did_not_return_are_named_in_the_order_of_the_seats(
    observed: Observed, table: TournamentTable
) -> None:
    replay = Replay(table_genesis(table))
    replay.closed = CloseReason.INCOMPLETE
    for seat in (3, 1):
        replay.absence.dropped[seat] = DropReason.LOST
    found = observed.attendance.break_at_end(replay)
    names = tuple(f"p{table.players[seat]}" for seat in (1, 3))
    assert found == TournamentBreak(BreakReason.AWAY, names)
