"""Real disks that are full or protected, and unreadable files, are reported without any loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from lanuno.log.format.transcript import MAGIC
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.history import History
from lanuno.store.journal import Journal
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile, rename
from lanuno.store.recovery import read_table, unfinished_tables
from lanuno.store.settings import Settings, load_settings, save_settings
from lanuno.store.sidecar import Sidecar
from lanuno.store.table_metadata import load_metadata, save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.metadata import TableMetadata
from tests.harness.homes.small_disk import SmallDisk, locked_out, small_disk
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.systems import skip_module_on_windows

skip_module_on_windows("a test can mount no disk")

TABLE = b"t" * 32
PAGE = 4096


@pytest.fixture(scope="module")
def played() -> LogTable:
    return new_table(2).run()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk") as disk:
        yield disk


@pytest.fixture
def home(disk: SmallDisk) -> Home:
    """Return a home in which everything has been written once."""
    home = Home.at(disk.folder / "home")
    load_profile(home)
    save_settings(home, Settings(language="es"))
    save_metadata(home, TABLE, TableMetadata(port=1))
    for _ in range(2):
        append(home)
        keep(home)
    return home


def append(home: Home) -> None:
    with Journal(home.games / "journal", MAGIC) as journal:
        while True:
            journal.append(bytes([len(journal) + 1]) * 500)
            if len(journal) % 9 == 0:
                break


def keep(home: Home) -> None:
    with Sidecar(home.private / "sidecar") as sidecar:
        first = len(sidecar.votes())
        for term in range(first, first + 99):
            sidecar.put_vote(term, b"v" * 50)


def begin(home: Home) -> None:
    records = TableRecords(home)
    try:
        table = new_table(2).run()
        records.begin(table.genesis)
        for entry in table.entries:
            records.entry(entry)
    finally:
        records.close()


def newcomer(home: Home) -> None:
    load_profile(Home.at(home.data / "another"))


WRITING: dict[str, Callable[[Home], object]] = {
    "journal": append,
    "sidecar": keep,
    "table": begin,
    "settings": lambda home: save_settings(home, Settings(language="en")),
    "arrangements": lambda home: save_metadata(home, TABLE, TableMetadata(port=2)),
    "name": lambda home: rename(home, "Ana"),
    "newcomer": newcomer,
}


def everything(home: Home) -> dict[str, bytes]:
    return {
        str(path.relative_to(home.data)): path.read_bytes()
        for path in home.data.rglob("*")
        if path.is_file()
    }


def nothing_lost(home: Home, before: dict[str, bytes]) -> None:
    """Check that no content is lost, all files can be read, and no temporary file is left."""
    after = everything(home)
    assert not [name for name in after if name.endswith(".new")]
    for name, data in before.items():
        assert after[name].startswith(data)
    with Journal(home.games / "journal", MAGIC) as journal:
        assert journal.torn is None
        assert len(journal) >= 18
    with Sidecar(home.private / "sidecar") as sidecar:
        assert sidecar.torn is None
        assert len(sidecar.votes()) >= 198
    assert load_settings(home).language == "es"
    assert load_metadata(home, TABLE) == TableMetadata(port=1)


@pytest.mark.parametrize("what", WRITING)
def test_a_full_disk(what: str, home: Home, disk: SmallDisk) -> None:
    before = everything(home)
    with disk.filled():
        with pytest.raises(StoreError) as caught:
            WRITING[what](home)
        assert caught.value.problem is disk.full
        assert caught.value.path.is_relative_to(home.data)
        nothing_lost(home, before)
    # Make room again.
    disk.resize(1024)
    WRITING[what](home)


@pytest.mark.parametrize("what", WRITING)
def test_a_protected_disk(what: str, home: Home, disk: SmallDisk) -> None:
    before = everything(home)
    with disk.read_only():
        with pytest.raises(StoreError) as caught:
            WRITING[what](home)
        assert caught.value.problem is disk.protected
        assert everything(home) == before
    WRITING[what](home)


def test_a_disk_that_fills_up_while_an_end_is_given_up(
    home: Home, disk: SmallDisk, played: LogTable
) -> None:
    """Without room for the copy, nothing is truncated, and nothing more is appended."""
    records = TableRecords(home)
    records.begin(played.genesis)
    for entry in played.entries:
        records.entry(entry)
    with disk.filled():
        with pytest.raises(StoreError) as caught:
            records.truncate(3)
        assert caught.value.problem is disk.full
        with pytest.raises(StoreError) as again:
            records.entry(played.entries[3])
        assert again.value.problem is disk.full
    records.close()
    assert home.transcript(played.genesis.table_id).read_bytes() == played.file
    assert not list(home.games.glob("*aside*"))


def test_a_disk_too_full_to_move_a_torn_tail(home: Home, disk: SmallDisk) -> None:
    """The tail is not cut off before it is stored in another file."""
    path = home.games / "journal"
    whole = path.read_bytes()
    path.write_bytes(whole + (60_000).to_bytes(4, "big") + bytes([1]) * 3000)
    torn = path.read_bytes()
    with disk.filled():
        with pytest.raises(StoreError) as caught:
            append(home)
        assert caught.value.problem is disk.full
        assert path.read_bytes() == torn
        assert not list(home.games.glob("*torn*"))
    append(home)
    (kept,) = home.games.glob("*torn*")
    assert whole + kept.read_bytes() == torn


def test_a_protected_disk_is_read(home: Home, disk: SmallDisk, played: LogTable) -> None:
    records = TableRecords(home)
    records.begin(played.genesis)
    for entry in played.entries[:3]:
        records.entry(entry)
    records.close()
    with disk.read_only():
        assert load_profile(home).name
        assert load_settings(home).language == "es"
        (found,) = unfinished_tables(home, identity(0).public)
        with pytest.raises(StoreError) as caught:
            read_table(home, found.table_id)
        assert caught.value.problem is disk.protected
        with pytest.raises(StoreError) as caught, home.locked():
            pass
        assert caught.value.problem in (disk.protected, FileProblem.NOT_WRITABLE)
    assert read_table(home, found.table_id).state.entries == tuple(played.entries[:3])


def test_files_without_rights(tmp_path: Path) -> None:
    home = Home.at(tmp_path / "home")
    load_profile(home)
    save_settings(home, Settings(language="es"))
    save_metadata(home, TABLE, TableMetadata(port=1))
    begin(home)
    before = everything(home)
    reading: tuple[Callable[[], object], ...] = (
        lambda: load_profile(home),
        lambda: load_settings(home),
        lambda: load_metadata(home, TABLE),
        lambda: unfinished_tables(home, TABLE),
        lambda: read_table(home, TABLE),
    )
    with locked_out(home.data):
        for read in reading:
            with pytest.raises(StoreError) as caught:
                read()
            assert caught.value.problem in (FileProblem.NOT_READABLE, FileProblem.NOT_WRITABLE)
        for write in WRITING.values():
            with pytest.raises(StoreError) as caught:
                write(home)
            assert caught.value.problem in (FileProblem.NOT_READABLE, FileProblem.NOT_WRITABLE)
    with suppress(StoreError):
        append(home)
    assert {name: everything(home)[name] for name in before} == before


def rebuild_often(history: History) -> None:
    for _ in range(1000):
        history.rebuild()


def test_a_list_of_games_on_a_full_disk(home: Home, disk: SmallDisk, played: LogTable) -> None:
    """No game can be added, and the listed games stay."""
    path = home.transcript(played.genesis.table_id)
    path.write_bytes(played.file)
    history = History(home)
    with disk.filled():
        with pytest.raises(StoreError) as caught:
            rebuild_often(history)
        assert caught.value.problem is disk.full
        assert path.read_bytes() == played.file
    disk.resize(1024)
    history.refresh()
    assert history.games(b"").total == 1
    history.close()
    again = History(home)
    assert again.set_aside_reason is None
    again.close()


def test_a_list_of_games_on_a_protected_disk(home: Home, disk: SmallDisk, played: LogTable) -> None:
    home.transcript(played.genesis.table_id).write_bytes(played.file)
    history = History(home)
    history.refresh()
    history.close()
    with disk.read_only():
        with pytest.raises(StoreError) as caught:
            History(home)
        assert caught.value.problem is disk.protected
    history = History(home)
    assert history.games(b"").total == 1
    history.close()
