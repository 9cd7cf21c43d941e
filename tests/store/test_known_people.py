"""Who is known: people with whom a game was signed, and nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.dealing.hashing import H, u32
from lanuno.dealing.identity import fingerprint
from lanuno.store.known_people import KnownName, KnownPeople, load_known_people
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.table_metadata import save_metadata
from lanuno.table.metadata import TableMetadata
from tests.harness.homes.played_games import DAY, ME, keep, new_home
from tests.harness.log_table.log_table import LogTable, identity, new_table


def key(seat: int) -> str:
    return fingerprint(identity(seat).public)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """The home of seat 0 of the tables of the harness."""
    home = new_home(tmp_path / "home")
    load_profile(home, lambda _: H("test-player", u32(0)))
    assert load_profile(home).identity.public == ME
    return home


def game(home: Home, table: LogTable, name: str, ended: float) -> None:
    keep(home, table, ended)
    save_metadata(home, table.genesis.table_id, TableMetadata(name=name))


def test_people_and_tables_of_signed_games_are_known(home: Home) -> None:
    game(home, new_table(2, salt=1), "Cellar", DAY)
    game(home, new_table(3, salt=2, host=1, bots={2: 0}), "Kitchen", 2 * DAY)
    known = load_known_people(home)
    # Neither this player nor a bot.
    assert known.people == (KnownName("p1", key(1)),)
    assert known.tables == tuple(
        KnownName(table, key(seat)) for table in ("Kitchen", "Cellar") for seat in (0, 1)
    ), "after a succession another player announces the table"
    assert known.name_of(key(1)) == "p1"
    assert known.name_of(key(2)) is None


def test_nobody_is_known_without_a_game_and_nothing_is_created(tmp_path: Path) -> None:
    assert load_known_people(Home.at(tmp_path / "nothing")) == KnownPeople()
    assert not (tmp_path / "nothing").exists()


def test_games_of_others_and_damaged_files_make_nobody_known(home: Home) -> None:
    watched, other = new_table(2, salt=1), new_table(2, salt=2)
    keep(home, watched)
    home.transcript(b"w" * 32).write_bytes(other.file)
    home.transcript(b"d" * 32).write_bytes(b"GIF89a")
    assert load_known_people(home).people == (KnownName("p1", key(1)),)
    home.transcript(watched.genesis.table_id).unlink()
    assert load_known_people(home).people == ()


def test_a_game_that_is_only_watched_makes_nobody_known(home: Home) -> None:
    home.identity.unlink()
    load_profile(home)
    game(home, new_table(2), "Kitchen", DAY)
    known = load_known_people(home)
    assert known.people == known.tables == ()


@pytest.mark.parametrize(
    ("name", "of", "other"),
    [
        ("Kitchen", "a", ""),
        ("K\u0456tchen", "a", ""),
        ("K\u0456tchen", "x", "Kitchen"),
        ("kitchen", "x", "Kitchen"),
        # Somebody else whom one knows opens a table of this name.
        ("Kitchen", "b", "Kitchen"),
        ("Garden", "x", ""),
    ],
)
def test_a_table_that_only_looks_like_a_known_one(name: str, of: str, other: str) -> None:
    known = KnownPeople(
        people=(KnownName("Ana", "a"), KnownName("Ben", "b")),
        tables=(KnownName("Cellar", "b"), KnownName("Kitchen", "a")),
    )
    assert known.table_like(name, of) == other


def test_a_person_that_only_looks_like_a_known_one() -> None:
    known = KnownPeople(people=(KnownName("Ana", "a"), KnownName("Ben", "b")))
    assert known.person_like("\u0410na", "x") == "Ana"
    assert known.person_like("\u0410na", "a") == ""
    # One friend under the name of another one.
    assert known.person_like("Ana", "b") == "Ana"
    # Two friends of one name are both known.
    both = KnownPeople(people=(KnownName("Ana", "a"), KnownName("ana", "b")), me="me")
    assert both.person_like("ANA", "b") == ""
    # This player has the name of a friend.
    assert both.person_like("Ana", "me") == ""
