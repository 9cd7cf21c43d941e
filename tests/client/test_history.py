"""The list of games and its statistics, read from a real home on a worker thread."""

from __future__ import annotations

import asyncio
import logging
from contextlib import closing
from pathlib import Path

import pytest

from lanuno.client.history import GameHistory, conclude, delete_game, read_games
from lanuno.log.faults import AuditVerdict
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.game_rows import LONGEST_PAGE, GameFilter, GameQuery
from lanuno.store.history import History
from lanuno.store.paths import Home
from lanuno.store.table_records import TableRecords
from tests.harness.homes.played_games import DAY, ME, home_of, played
from tests.harness.log_table.log_table import LogTable

ALL = GameQuery()


@pytest.fixture(scope="module")
def tables() -> tuple[LogTable, ...]:
    """Three games, shared, so they must not be changed."""
    return played(1), played(2, 3), played(3)


@pytest.fixture
def home(tmp_path: Path, tables: tuple[LogTable, ...]) -> Home:
    return home_of(tmp_path / "home", tables)


def read(home: Home, query: GameQuery = ALL, most: int = 100) -> tuple[list[float], int]:
    """Return the days on which the listed games ended, and the number of matching games."""
    found = asyncio.run(read_games(home, ME, query, most))
    return [game.ended / DAY for game in found.games], found.total


def test_games_and_statistics_are_read_from_the_folder(
    home: Home, tables: tuple[LogTable, ...]
) -> None:
    (home.games / f"{'0' * 64}.lanuno").write_bytes(b"GIF89a")
    found = asyncio.run(read_games(home, ME, ALL, 100))
    assert [game.record.table_id for game in found.games] == [
        table.genesis.table_id for table in reversed(tables)
    ]
    assert (found.total, found.unusable) == (3, 1)
    assert found.statistics.rounds == 3


def test_games_are_shown_while_others_are_still_being_read(
    home: Home, tables: tuple[LogTable, ...]
) -> None:
    shown: list[GameHistory] = []
    last = asyncio.run(read_games(home, ME, ALL, 100, shown.append, pause=0.0))
    ended = [[game.ended / DAY for game in each.games] for each in (*shown, last)]
    assert ended == [[3], [3, 2], [3, 2, 1]]
    assert [each.unread for each in (*shown, last)] == [2, 1, 0]
    again = asyncio.run(read_games(home, ME, ALL, 100, shown.append, pause=0.0))
    assert (again, len(shown)) == (last, 2), "what is known is not read again"


def test_the_list_follows_the_folder(home: Home, tables: tuple[LogTable, ...]) -> None:
    assert read(home) == ([3, 2, 1], 3)
    home.transcript(tables[1].genesis.table_id).unlink()
    assert read(home) == ([3, 1], 2)


@pytest.mark.parametrize(("most", "listed"), [(0, []), (1, [3]), (2, [3, 2]), (9, [3, 2, 1])])
def test_a_limit_takes_the_newest_and_counts_all(most: int, listed: list[int], home: Home) -> None:
    assert read(home, most=most) == (listed, 3)


def test_more_games_than_a_page_are_read_once_each(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limits of pages are small here, instead of hundreds of files."""
    assert LONGEST_PAGE > 3
    monkeypatch.setattr("lanuno.client.history.LONGEST_PAGE", 2)
    assert read(home) == ([3, 2, 1], 3)
    assert read(home, most=2) == ([3, 2], 3)


def test_a_query_chooses_the_games(home: Home) -> None:
    assert read(home, GameQuery(show=GameFilter.WATCHED)) == ([], 0)
    assert read(home, GameQuery(text="p2")) == ([2], 1)


def test_a_deleted_game_is_gone(home: Home, tables: tuple[LogTable, ...]) -> None:
    asyncio.run(delete_game(home, tables[0].genesis.table_id))
    assert not home.transcript(tables[0].genesis.table_id).exists()
    assert read(home) == ([3, 2], 2)


def test_a_game_that_is_being_played_is_not_deleted(
    home: Home, tables: tuple[LogTable, ...]
) -> None:
    records = TableRecords(home, resumed=True)
    records.begin(tables[0].genesis)
    with pytest.raises(StoreError) as caught:
        asyncio.run(delete_game(home, tables[0].genesis.table_id))
    records.close()
    assert caught.value.problem is FileProblem.IN_USE
    assert read(home) == ([3, 2, 1], 3)


def test_a_verdict_is_stored_and_logged(
    home: Home, tables: tuple[LogTable, ...], caplog: pytest.LogCaptureFixture
) -> None:
    table = tables[2].genesis.table_id
    with caplog.at_level(logging.INFO):
        asyncio.run(conclude(home, table, AuditVerdict.CHEATING))
    assert read(home, GameQuery(show=GameFilter.CHEATED)) == ([3], 1)
    assert f"checked table {table.hex()[:12]}: cheating" in caplog.messages


def break_rows(home: Home) -> None:
    """Put a value into the list that this program never writes."""
    with closing(History(home)) as history, history._database.writing() as link:
        link.execute("UPDATE games SET verdict = 'perfect'")


def test_a_damaged_list_is_rebuilt(home: Home) -> None:
    read(home)
    break_rows(home)
    assert read(home) == ([3, 2, 1], 3)
    aside = home.history.with_name(home.history.name + ".aside0")
    assert aside.exists()


def test_damage_to_anything_else_is_an_error(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is not set aside for a fault that is not its own."""
    error = StoreError(FileProblem.DAMAGED, home.games)
    read(home)

    def damaged(_history: History, _progress: object) -> int:
        raise error

    monkeypatch.setattr(History, "refresh", damaged)
    with pytest.raises(StoreError) as caught:
        read(home)
    assert caught.value is error
    assert not home.history.with_name(home.history.name + ".aside0").exists()
