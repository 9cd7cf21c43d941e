"""An SQLite file used as an index: opened, shared, checked, and set aside when damaged."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanuno.store import database
from lanuno.store.database import Database
from lanuno.store.errors import FileProblem, StoreError
from lanuno.system import files
from tests.harness.systems import is_private, no_links_under_wine, not_on_windows
from tests.store.failing_disk import failing

SCHEMA = (
    "CREATE TABLE things (name TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE parts (thing TEXT NOT NULL REFERENCES things ON DELETE CASCADE, size INTEGER)",
)
VERSION = 2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "index"


@pytest.fixture
def base(path: Path) -> Iterator[Database]:
    base = Database(path, SCHEMA, VERSION)
    yield base
    base.close()


def put(base: Database, name: str) -> None:
    with base.writing() as link:
        link.execute("INSERT INTO things VALUES (?)", (name,))


def names(base: Database) -> list[str]:
    with base.reading() as link:
        return [name for (name,) in link.execute("SELECT name FROM things ORDER BY name")]


def execute(path: Path, *statements: str) -> None:
    """Change the file as another program."""
    link = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        link.execute(statement)
    link.close()


def test_a_new_file_is_private_and_empty(base: Database, path: Path) -> None:
    assert base.empty
    assert (base.set_aside_reason, base.set_aside_path) == (None, None)
    assert names(base) == []
    for each in path.parent.iterdir():
        assert is_private(each), each
    assert is_private(path.parent)


def test_rows_are_there_after_the_file_is_opened_again(base: Database, path: Path) -> None:
    put(base, "a")
    base.close()
    again = Database(path, SCHEMA, VERSION)
    assert (again.empty, again.set_aside_reason, names(again)) == (False, None, ["a"])
    again.close()


def test_a_write_that_fails_leaves_nothing(base: Database) -> None:
    put(base, "a")

    def interrupted() -> None:
        with base.writing() as link:
            link.execute("INSERT INTO things VALUES ('b')")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert names(base) == ["a"]
    put(base, "c")
    assert names(base) == ["a", "c"]


def test_rows_that_belong_to_a_deleted_row_are_deleted(base: Database) -> None:
    put(base, "a")
    with base.writing() as link:
        link.execute("INSERT INTO parts VALUES ('a', 1)")
    with base.writing() as link:
        link.execute("DELETE FROM things")
    with base.reading() as link:
        assert tuple(link.execute("SELECT count(*) FROM parts").fetchone()) == (0,)


def test_a_reader_sees_one_state_while_another_program_writes(base: Database, path: Path) -> None:
    put(base, "a")
    other = Database(path, SCHEMA, VERSION)
    count = "SELECT count(*) FROM things"
    with base.reading() as link:
        assert tuple(link.execute(count).fetchone()) == (1,)
        put(other, "b")
        assert tuple(link.execute(count).fetchone()) == (1,)
    assert names(base) == ["a", "b"]
    other.close()


def test_a_writer_that_must_wait_too_long_is_told(
    base: Database, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    other = Database(path, SCHEMA, VERSION)
    with base.writing(), pytest.raises(StoreError) as caught, other.writing():
        pass
    assert (caught.value.problem, caught.value.path) == (FileProblem.IN_USE, path)
    put(other, "a")
    other.close()
    assert names(base) == ["a"]


def test_only_one_program_at_a_time_opens_the_file(
    path: Path, base: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    lock = files.open_to_change(path.with_name("index.lock"))
    assert files.lock(lock)
    with pytest.raises(StoreError) as caught:
        Database(path, SCHEMA, VERSION)
    assert caught.value.problem is FileProblem.IN_USE
    os.close(lock)
    Database(path, SCHEMA, VERSION).close()


@pytest.mark.parametrize(
    ("change", "problem", "detail"),
    [
        ("PRAGMA user_version = 3", FileProblem.FOREIGN, "version 3"),
        ("DROP TABLE parts", FileProblem.DAMAGED, "ok"),
        ("CREATE TABLE more (name TEXT)", FileProblem.DAMAGED, "ok"),
        ("CREATE VIEW more AS SELECT * FROM things", FileProblem.DAMAGED, "ok"),
        (
            "CREATE TRIGGER more AFTER INSERT ON things BEGIN DELETE FROM parts; END",
            FileProblem.DAMAGED,
            "ok",
        ),
    ],
)
def test_a_file_with_other_tables_is_set_aside(
    change: str, problem: FileProblem, detail: str, base: Database, path: Path
) -> None:
    put(base, "a")
    base.close()
    execute(path, change)
    again = Database(path, SCHEMA, VERSION)
    assert again.set_aside_reason is not None
    assert (again.set_aside_reason.problem, again.set_aside_reason.detail) == (problem, detail)
    assert again.set_aside_path == path.with_name("index.aside0")
    assert (again.empty, names(again)) == (True, [])
    again.close()
    kept = sqlite3.connect(path.with_name("index.aside0"))
    assert kept.execute("SELECT name FROM things").fetchall() == [("a",)]
    kept.close()


def test_files_that_were_set_aside_before_are_kept(base: Database, path: Path) -> None:
    base.close()
    for number in range(2):
        path.write_bytes(b"GIF89a" * 500)
        again = Database(path, SCHEMA, VERSION)
        assert again.set_aside_path == path.with_name(f"index.aside{number}")
        again.close()
    assert path.with_name("index.aside0").read_bytes() == b"GIF89a" * 500


def test_a_database_of_another_program_is_not_changed(path: Path) -> None:
    path.parent.mkdir()
    execute(path, "CREATE TABLE photos (name TEXT)", "INSERT INTO photos VALUES ('p')")
    base = Database(path, SCHEMA, VERSION)
    assert base.set_aside_reason is not None
    assert base.set_aside_reason.problem is FileProblem.FOREIGN
    base.close()
    assert base.set_aside_path is not None
    kept = sqlite3.connect(base.set_aside_path)
    assert kept.execute("SELECT name FROM photos").fetchall() == [("p",)]
    kept.close()


def test_an_older_version_is_emptied_and_not_set_aside(path: Path) -> None:
    path.parent.mkdir()
    execute(
        path,
        'CREATE TABLE "od""d" (name TEXT)',
        'CREATE VIEW seen AS SELECT * FROM "od""d"',
        "PRAGMA user_version = 1",
    )
    base = Database(path, SCHEMA, VERSION)
    assert (base.empty, base.set_aside_reason) == (True, None)
    with base.reading() as link:
        tables = link.execute("SELECT name FROM sqlite_schema WHERE sql NOT NULL ORDER BY name")
        assert [row["name"] for row in tables] == ["parts", "things"]
    base.close()


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("SELECT * FROM nowhere", FileProblem.DAMAGED),
        ("INSERT INTO things VALUES (NULL)", FileProblem.DAMAGED),
        ("INSERT INTO parts VALUES ('no such thing', 1)", FileProblem.DAMAGED),
    ],
)
def test_an_error_of_a_statement_is_damage(
    statement: str, problem: FileProblem, base: Database, path: Path
) -> None:
    with pytest.raises(StoreError) as caught, base.writing() as link:
        link.execute(statement)
    assert (caught.value.problem, caught.value.path) == (problem, path)
    put(base, "a")
    assert names(base) == ["a"]


def test_a_bug_in_this_program_is_no_problem_of_the_file(base: Database) -> None:
    with pytest.raises(sqlite3.ProgrammingError), base.reading() as link:
        link.execute("SELECT ?")
    assert names(base) == []


def test_a_file_without_room_is_a_full_disk(base: Database) -> None:
    with base.reading() as link:
        (pages,) = link.execute("PRAGMA page_count").fetchone()
        link.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError) as caught:
        put(base, "a" * 100_000)
    assert caught.value.problem is FileProblem.DISK_FULL
    assert names(base) == []


@pytest.mark.parametrize(
    ("read_only", "free", "problem"),
    [
        (True, 100, FileProblem.READ_ONLY),
        (False, 0, FileProblem.DISK_FULL),
        (False, 100, FileProblem.NOT_WRITABLE),
        (False, None, FileProblem.NOT_WRITABLE),
    ],
)
def test_why_a_file_cannot_be_written(
    read_only: bool,
    free: int | None,
    problem: FileProblem,
    base: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def free_bytes(_folder: Path) -> int:
        if free is None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return free

    monkeypatch.setattr(files, "is_read_only", lambda _folder: read_only)
    monkeypatch.setattr(files, "free_bytes", free_bytes)
    with base.reading() as link:
        link.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError) as caught:
        put(base, "a")
    assert caught.value.problem is problem


@pytest.mark.parametrize("kind", ["folder", pytest.param("link", marks=no_links_under_wine)])
def test_only_a_file_is_opened(kind: str, path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    if kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError) as caught:
        Database(path, SCHEMA, VERSION)
    assert caught.value.problem is FileProblem.NOT_WRITABLE
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cannot_be_written_is_told(
    base: Database, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base.close()
    monkeypatch.setattr(files, "open_to_change", failing(errno.EROFS))
    with pytest.raises(StoreError) as caught:
        Database(path, SCHEMA, VERSION)
    assert caught.value.problem is FileProblem.READ_ONLY


def test_a_replaced_file_begins_anew(base: Database, path: Path) -> None:
    put(base, "a")
    error = StoreError(FileProblem.DAMAGED, path, "rows that make no sense")
    base.replace(error)
    assert (base.set_aside_reason, base.set_aside_path) == (error, path.with_name("index.aside0"))
    assert (base.empty, names(base)) == (True, [])


@not_on_windows("an open database cannot be replaced")
def test_a_file_that_another_program_has_replaced_is_kept(base: Database, path: Path) -> None:
    """Two programs find the same damage; the second one uses the new file of the first."""
    other = Database(path, SCHEMA, VERSION)
    error = StoreError(FileProblem.DAMAGED, path)
    put(base, "before")
    other.replace(error)
    put(other, "a")
    base.replace(error)
    assert (base.set_aside_reason, names(base)) == (None, ["a"])
    put(other, "b")
    assert names(base) == ["a", "b"]
    other.close()
    # What was still in a file beside it went with the old file.
    kept = sqlite3.connect(path.with_name("index.aside0"))
    assert kept.execute("SELECT name FROM things").fetchall() == [("before",)]
    kept.close()


@pytest.mark.parametrize("bytes_found", [b"GIF89a" * 500, None])
def test_a_file_that_becomes_unusable_while_it_is_open_is_replaced(
    bytes_found: bytes | None, base: Database, path: Path
) -> None:
    """Another program overwrites it, or a newer version of this program changes its version."""
    put(base, "a")
    if bytes_found is None:
        execute(path, "PRAGMA user_version = 3")
    else:
        path.write_bytes(bytes_found)
    base.replace(StoreError(FileProblem.DAMAGED, path))
    assert base.set_aside_path == path.with_name("index.aside0")
    assert (base.empty, names(base)) == (True, [])


@not_on_windows("an open database cannot be deleted")
def test_a_file_that_was_deleted_is_made_again(base: Database, path: Path) -> None:
    put(base, "a")
    for each in path.parent.glob("index*"):
        each.unlink()
    base.replace(StoreError(FileProblem.DAMAGED, path))
    assert (base.set_aside_reason, base.empty, names(base)) == (None, True, [])


def test_a_closed_database_says_so(base: Database, path: Path) -> None:
    base.close()
    base.close()
    for use in (base.reading, base.writing):
        with pytest.raises(StoreError) as caught, use():
            pass
        assert (caught.value.problem, caught.value.path) == (FileProblem.CLOSED, path)
