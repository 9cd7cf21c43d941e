"""The standing of a tournament, as one of its players has played it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.client.tournament import PlayedTournament
from lanuno.client.tournament_breaks import BreakReason, TournamentBreak
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.match.tournament import PLAYERS, SCHEDULE
from lanuno.store.tournament_records import TournamentFiles
from tests.harness.homes.played_games import new_home
from tests.harness.log_table.log_table import identity
from tests.harness.log_table.tournaments import play, tournament_genesis


@pytest.fixture
def played(tmp_path: Path) -> PlayedTournament:
    """The tournament of player 5, before its first table."""
    genesis = tournament_genesis()
    files = TournamentFiles(new_home(tmp_path / "home"), genesis)
    return PlayedTournament(TournamentReplay(genesis), files, identity(5).public)


def test_before_the_first_table_nobody_has_points(played: PlayedTournament) -> None:
    standing = played.standing()
    assert standing.names == tuple(f"p{number}" for number in range(PLAYERS))
    assert (standing.totals, standing.winners) == ((0,) * PLAYERS, ())
    assert (standing.mine, standing.rotation, standing.rotations) == (5, 0, len(SCHEDULE))
    assert (standing.awaiting_other_table, standing.broken) == (False, None)
    assert len(set(standing.avatars)) == PLAYERS


def test_the_points_of_both_tables_count_after_the_rotation(played: PlayedTournament) -> None:
    replay = played.replay
    tables = [replay.table(number) for number in range(2)]
    transcripts = [play(table) for table in tables]
    replay.add_all(transcripts)
    standing = played.standing()
    assert standing.rotation == 1
    expected = [0] * PLAYERS
    for number, table in enumerate(tables):
        report = replay.reports[0, number]
        for player, points in zip(table.players, report.scores, strict=True):
            expected[player] += points
    assert standing.totals == tuple(expected)
    assert any(expected)
    assert standing.winners == (), "six more rotations follow"


def test_a_wait_and_a_break_are_shown(played: PlayedTournament) -> None:
    assert played.standing(awaiting_other_table=True).awaiting_other_table
    played.broken = TournamentBreak(BreakReason.LEFT, ("p3",))
    assert played.standing().broken == played.broken
