"""The rows of the list of games: queries, pages, and text from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.rules.ruleset import Format
from lanuno.store.database import Database
from lanuno.store.game_rows import (
    LONGEST_PAGE,
    SCHEMA,
    VERSION,
    Game,
    GameFilter,
    GameQuery,
    game_by_id,
    game_page,
    write_game,
)
from lanuno.store.history import History
from lanuno.store.paths import Home
from tests.harness.homes.played_games import ME, new_home, person, put, record

CAST = (
    record(1, ["me", "Ana"], won=["me"]),
    record(2, ["me", "Ana", "Beto"], won=["Ana"], preset="express"),
    record(3, ["me", "Beto"], reason=CloseReason.STOPPED),
    record(4, ["Ana", "Beto"], won=["Ana"]),
    record(5, ["me", "ÉLÉA % _ ' \" ; DROP TABLE games; --"], won=["me"]),
)


@pytest.fixture
def cast(tmp_path: Path) -> Iterator[History]:
    home = new_home(tmp_path / "cast")
    put(home, CAST, [None, AuditVerdict.VERIFIED, None, AuditVerdict.CHEATING])
    history = History(home)
    yield history
    history.close()


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (GameQuery(), [5, 4, 3, 2, 1]),
        (GameQuery(show=GameFilter.WON), [5, 1]),
        (GameQuery(show=GameFilter.LOST), [2]),
        (GameQuery(show=GameFilter.UNDECIDED), [3]),
        (GameQuery(show=GameFilter.WATCHED), [4]),
        (GameQuery(show=GameFilter.CHEATED), [4]),
        (GameQuery(preset="express"), [2]),
        (GameQuery(preset="nobody plays this"), []),
        (GameQuery(text=" ana "), [4, 2, 1]),
        (GameQuery(text="éléa"), [5]),
        (GameQuery(text="%"), [5]),
        (GameQuery(text="_"), [5]),
        (GameQuery(text="'; DROP TABLE games; --"), []),
        (GameQuery(text="; drop table games; --"), [5]),
        (GameQuery(text="x" * 10_000), []),
        (GameQuery(person=person("Beto")), [4, 3, 2]),
        (GameQuery(person=person("Beto"), show=GameFilter.LOST, preset="express", text="ana"), [2]),
    ],
)
def test_a_query_finds_only_matching_games(
    wanted: GameQuery, found: list[int], cast: History
) -> None:
    page = cast.games(ME, wanted)
    assert [int.from_bytes(game.record.table_id, "big") for game in page.games] == found
    assert page.total == len(found)


def test_text_from_outside_stays_text(cast: History) -> None:
    game = cast.game(CAST[4].table_id)
    assert game is not None
    assert game.record == CAST[4]


def test_a_page_is_never_longer_than_a_page(tmp_path: Path) -> None:
    home = new_home(tmp_path / "many")
    put(home, [record(number, ["me", "Ana"]) for number in range(LONGEST_PAGE + 50)])
    history = History(home)
    page = history.games(ME, limit=10**9)
    assert (len(page.games), page.total) == (LONGEST_PAGE, LONGEST_PAGE + 50)
    history.close()


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Database]:
    base = Database(tmp_path / "history", SCHEMA, VERSION)
    yield base
    base.close()


def stored(base: Database, home: Home, table_id: bytes) -> Game:
    with base.reading() as link:
        game = game_by_id(link, home, table_id)
    assert game is not None
    return game


ODD = replace(
    record(7, ["me", "bot", "Ana"], gone=["Ana"], scores=[3, -5, 0], reason=None, rounds=0),
    format=Format.PAIRS,
    tournament=b"t" * 32,
    played_ms=2**40,
)
"""A game whose every field differs from the default."""


def test_a_game_is_read_as_it_was_written(base: Database, tmp_path: Path) -> None:
    home = new_home(tmp_path / "home")
    owned = replace(ODD.players[1], owner=person("Ana"), avatar=6)
    game = replace(ODD, players=(ODD.players[0], owned, ODD.players[2]))
    with base.writing() as link:
        write_game(link, "odd.lanuno", game, 100, int(1.5e9))
    found = stored(base, home, game.table_id)
    assert found == Game(
        game, home.transcript(game.table_id), 1.5, None, counts=False, won_by_cards=False
    )
    with base.reading() as link:
        assert game_by_id(link, home, b"?" * 32) is None


@pytest.mark.parametrize(
    ("size", "entries", "kept"), [(100, 10, True), (101, 10, False), (100, 11, False)]
)
def test_a_verdict_is_kept_only_for_the_same_file(
    size: int, entries: int, kept: bool, base: Database, tmp_path: Path
) -> None:
    home = new_home(tmp_path / "home")
    with base.writing() as link:
        write_game(link, "odd.lanuno", ODD, 100, int(5e9))
        link.execute("UPDATE games SET verdict = ?", (AuditVerdict.VERIFIED.value,))
    again = replace(ODD, entries=entries)
    with base.writing() as link:
        write_game(link, "odd.lanuno", again, size, int(9e9))
    found = stored(base, home, ODD.table_id)
    assert found.record == again
    assert (found.verdict, found.ended) == ((AuditVerdict.VERIFIED, 5.0) if kept else (None, 9.0))


def test_a_file_with_an_earlier_time_ends_the_game_earlier(base: Database, tmp_path: Path) -> None:
    home = new_home(tmp_path / "home")
    for time in (5, 3, 8):
        with base.writing() as link:
            write_game(link, "odd.lanuno", ODD, 100, int(time * 1e9))
    assert stored(base, home, ODD.table_id).ended == 3.0


def test_a_game_that_is_written_again_leaves_no_other_rows(base: Database) -> None:
    """Neither players who are not in it now, nor its earlier entry as an unusable file."""
    fewer = replace(ODD, players=ODD.players[:2])
    with base.writing() as link:
        link.execute("INSERT INTO unusable VALUES ('odd.lanuno', 1, 1, 'DAMAGED', '')")
        link.execute("INSERT INTO unusable VALUES ('other.lanuno', 1, 1, 'DAMAGED', '')")
        write_game(link, "odd.lanuno", ODD, 100, int(5e9))
        write_game(link, "odd.lanuno", fewer, 100, int(5e9))
        names = [row["name"] for row in link.execute("SELECT name FROM players ORDER BY seat")]
        assert names == ["me", "bot"]
        files = [row["file"] for row in link.execute("SELECT file FROM unusable")]
        assert files == ["other.lanuno"]


def test_games_that_ended_at_the_same_time_have_an_order(base: Database, tmp_path: Path) -> None:
    """Otherwise two pages could show one game twice, and another one never."""
    home = new_home(tmp_path / "home")
    with base.writing() as link:
        for number in (3, 1, 2):
            write_game(link, f"{number}", record(number, ["me"]), 100, int(5e9))
    with base.reading() as link:
        pages = [game_page(link, home, ME, GameQuery(), offset, 1) for offset in range(3)]
    found = [int.from_bytes(game.record.table_id, "big") for page in pages for game in page.games]
    assert found == [1, 2, 3]
