"""The records of one seat at a table: the two files, the order of writing, and failures."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lanuno.dealing.identity import Identity
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.codec import encode
from lanuno.log.format.transcript import MAGIC, read
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.journal import Journal
from lanuno.store.paths import Home
from lanuno.store.recovery import read_table, unfinished_tables
from lanuno.store.sidecar import Sidecar
from lanuno.store.table_records import TableRecords
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.systems import is_private

SIGNED = SignedBody(b"body", b"g" * 64)


@pytest.fixture(scope="module")
def played() -> LogTable:
    """Return a table of two players with one closed round; tests must not change it."""
    return new_table(2).run()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home.at(tmp_path / "home")
    home.create()
    return home


def test_a_transcript_and_a_sidecar(home: Home, played: LogTable) -> None:
    records = TableRecords(home)
    records.begin(played.genesis)
    for entry in played.entries:
        records.entry(entry)
    records.secret(1, b"o" * 32, "round", b"s" * 32)
    records.body(1, 7, SIGNED)
    # Other programs can read it before it is closed: it is the journal.
    assert records.path == home.transcript(played.genesis.table_id)
    assert records.path.read_bytes() == played.file
    records.close()
    with Sidecar(home.sidecar(played.genesis.table_id)) as sidecar:
        assert sidecar.seeds() == {1: {(b"o" * 32, "round"): b"s" * 32}}
        assert sidecar.signed() == {1: {7: encode(SIGNED)}}
    for path in (records.path, home.sidecar(played.genesis.table_id)):
        assert is_private(path)
    assert b"s" * 32 not in records.path.read_bytes()


def test_a_watcher_keeps_no_secrets(home: Home, played: LogTable) -> None:
    records = TableRecords(home, private=False)
    records.begin(played.genesis)
    records.entry(played.entries[0])
    records.secret(0, b"o" * 32, "round", b"s" * 32)
    records.body(0, 0, SIGNED)
    records.vote(1, b"vote")
    records.close()
    assert list(home.private.iterdir()) == []


def test_an_abandoned_end_of_the_log_is_set_aside(home: Home, played: LogTable) -> None:
    records = TableRecords(home)
    records.begin(played.genesis)
    for entry in played.entries[:5]:
        records.entry(entry)
    path = home.transcript(played.genesis.table_id)
    before = path.read_bytes()
    records.truncate(5)
    records.truncate(3)
    records.entry(played.entries[3])
    records.sync()
    records.close()
    assert path.with_name(path.name + ".aside0").read_bytes() == before
    assert read(path.read_bytes()).entries == tuple(played.entries[:4])
    assert not path.with_name(path.name + ".aside1").exists()


def test_an_unfinished_table_is_found_and_resumed(home: Home, played: LogTable) -> None:
    table = played.genesis.table_id
    identity = played.genesis.read().seats[0].identity
    first = TableRecords(home, bots=[b"b" * 32])
    first.begin(played.genesis)
    for entry in played.entries[:3]:
        first.entry(entry)
    first.secret(0, b"o" * 32, "round", b"s" * 32)
    first.body(0, 9, SIGNED)
    first.stand_in(1, b"k" * 32)
    first.vote(2, b"vote")
    first.close()
    (found,) = unfinished_tables(home, identity)
    assert found.table_id == table
    assert unfinished_tables(home, b"x" * 32) == ()
    recovered = read_table(home, table).state
    assert recovered.entries == tuple(played.entries[:3])
    assert recovered.votes == {2: b"vote"}
    bot = Identity.from_seed(b"k" * 32).public
    assert {seat: bot.public for seat, bot in recovered.stand_ins.items()} == {1: bot}
    assert recovered.seats[0].seeds == {(b"o" * 32, "round"): b"s" * 32}
    assert recovered.seats[0].bodies == {9: SIGNED}
    assert recovered.seats[0].next_counter > 9
    again = TableRecords(home, resumed=True)
    again.begin(played.genesis)
    for entry in played.entries[3:]:
        again.entry(entry)
    again.close()
    assert home.transcript(table).read_bytes() == played.file
    assert unfinished_tables(home, identity) == ()
    (over,) = unfinished_tables(home, identity, closed_since=0.0)
    assert (over.table_id, over.closed, found.closed) == (table, True, False)
    assert unfinished_tables(home, identity, closed_since=over.written + 1) == ()
    guest = played.genesis.read().seats[1].identity
    assert unfinished_tables(home, guest, closed_since=0.0) == ()
    home.sidecar(table).unlink()
    with pytest.raises(StoreError) as caught:
        read_table(home, table)
    assert caught.value.problem is FileProblem.NOT_READABLE
    assert not home.sidecar(table).exists()


def test_closing_before_it_began_and_twice(home: Home, played: LogTable) -> None:
    records = TableRecords(home)
    records.close()
    records.begin(played.genesis)
    records.close()
    records.close()


def test_recording_the_same_entries_again_keeps_the_longer_log(
    home: Home, played: LogTable
) -> None:
    """A player comes back, or watches a game that was played here."""
    for count in (3, 5, 4):
        records = TableRecords(home)
        records.begin(played.genesis)
        for entry in played.entries[:count]:
            records.entry(entry)
        records.close()
        assert records.path is not None
        kept = read(records.path.read_bytes()).entries
        assert kept == tuple(played.entries[: max(count, 5 if count == 4 else count)])


def test_another_entry_in_the_same_place_is_refused(home: Home, played: LogTable) -> None:
    first = TableRecords(home)
    first.begin(played.genesis)
    first.entry(played.entries[0])
    first.close()
    second = TableRecords(home)
    second.begin(played.genesis)
    with pytest.raises(StoreError) as caught:
        second.entry(played.entries[1])
    assert caught.value.problem is FileProblem.CONTRADICTION
    second.close()
    assert first.path is not None
    assert read(first.path.read_bytes()).entries == (played.entries[0],)


def test_a_spectator_that_is_shown_another_log_than_before_keeps_both(
    home: Home, played: LogTable
) -> None:
    """The attack: a host cuts a spectator off, and goes on with another story for it.

    Its program ended with an error of its own files, and kept no proof. An election has the same
    effect without a lie.
    """
    stories = [played.entries[:3], [*played.entries[:1], *played.entries[2:4]], played.entries[:4]]
    paths = []
    for story in stories:
        records = TableRecords(home, private=False)
        records.begin(played.genesis)
        for entry in story:
            records.entry(entry)
        records.sync()
        records.close()
        assert records.path is not None
        paths.append(records.path)
    assert paths[0] == paths[2] == home.transcript(played.genesis.table_id)
    kept = [list(read(path.read_bytes()).entries) for path in paths]
    assert kept[1:] == stories[1:]


def test_another_genesis_under_its_name_is_refused(home: Home, played: LogTable) -> None:
    path = home.transcript(played.genesis.table_id)
    with Journal(path, MAGIC) as journal:
        journal.append(encode(new_table(3).genesis))
    records = TableRecords(home)
    with pytest.raises(StoreError) as caught:
        records.begin(played.genesis)
    assert caught.value.problem is FileProblem.CONTRADICTION
    records.close()


def test_one_table_is_kept_by_one_program(home: Home, played: LogTable) -> None:
    first, second = TableRecords(home), TableRecords(home)
    first.begin(played.genesis)
    with pytest.raises(StoreError) as caught:
        second.begin(played.genesis)
    assert caught.value.problem is FileProblem.IN_USE
    second.close()
    first.entry(played.entries[0])
    first.close()


def fail(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("what", ["entry", "secret", "body"])
def test_the_first_error_is_the_one_that_is_told(
    what: str, home: Home, played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = TableRecords(home)
    records.begin(played.genesis)
    write: dict[str, Callable[[], None]] = {
        "entry": lambda: records.entry(played.entries[0]),
        "secret": lambda: records.secret(0, b"o" * 32, "round", b"s" * 32),
        "body": lambda: records.body(0, 0, SIGNED),
    }
    with monkeypatch.context() as full:
        full.setattr(os, "write", fail)
        with pytest.raises(StoreError) as caught:
            write[what]()
        assert caught.value.problem is FileProblem.DISK_FULL
        full.setattr(os, "fsync", fail)
        # Closing does not sync again, and does not hide the first error with another one.
        records.close()
    assert records.path is not None
    assert read(records.path.read_bytes()).entries == ()


def test_a_failed_sync_on_closing_is_reported(
    home: Home, played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = TableRecords(home)
    records.begin(played.genesis)
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", fail)
        with pytest.raises(StoreError) as caught:
            records.close()
    assert caught.value.problem is FileProblem.DISK_FULL
    # The locks are released nevertheless.
    again = TableRecords(home)
    again.begin(played.genesis)
    again.close()


def test_a_torn_tail_is_moved_aside(home: Home, played: LogTable) -> None:
    path = home.transcript(played.genesis.table_id)
    path.write_bytes(played.fork(2).file + b"\x00\x00\x01\x00half")
    records = TableRecords(home)
    records.begin(played.genesis)
    for entry in played.entries[:3]:
        records.entry(entry)
    records.close()
    assert read(path.read_bytes()).entries == tuple(played.entries[:3])
    assert path.with_name(path.name + ".torn0").read_bytes() == b"\x00\x00\x01\x00half"
