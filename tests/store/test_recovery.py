"""Recovery of a table after damage: files are named, never changed, and never read in part."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.format.transcript import MAGIC, record, write
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.recovery import UnfinishedTable, read_table, unfinished_tables
from lanuno.store.sidecar import Sidecar
from lanuno.store.table_records import TableRecords
from lanuno.system import files
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.store.failing_disk import failing

ENTRIES = 6
ME = identity(0).public


@pytest.fixture(scope="module")
def played() -> LogTable:
    return new_table(2).run()


@pytest.fixture
def home(tmp_path: Path, played: LogTable) -> Home:
    """Return a home with a table in the middle of its first round."""
    home = Home.at(tmp_path / "home")
    home.create()
    records = TableRecords(home, bots=[b"b" * 32])
    records.begin(played.genesis)
    for entry in played.entries[:ENTRIES]:
        records.entry(entry)
    records.secret(0, b"o" * 32, "round", b"s" * 32)
    records.body(0, 3, SignedBody(b"body", b"g" * 64))
    records.vote(1, b"vote")
    records.close()
    return home


def look(home: Home) -> tuple[tuple[UnfinishedTable, ...], list[FileProblem]]:
    told: list[StoreError] = []
    found = unfinished_tables(home, ME, told.append)
    assert unfinished_tables(home, ME) == found  # `report` is optional
    return found, [error.problem for error in told]


def everything(home: Home) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in home.data.rglob("*") if path.is_file()}


def refused(home: Home, table: bytes) -> FileProblem:
    """Return why the table cannot be read, and check that the files are unchanged."""
    before = everything(home)
    with pytest.raises(StoreError) as caught:
        read_table(home, table)
    assert everything(home) == before
    assert b"s" * 32 not in str(caught.value).encode()
    return caught.value.problem


def changed(entry: Entry, **fields: object) -> Entry:
    """Return a changed entry, signed by the same host."""
    core = entry.read()
    values = {name: getattr(core, name) for name in core.__struct_fields__} | fields
    return sign_entry(type(core)(**values), identity(0))


Damage = Callable[[LogTable, bytes], bytes]

DAMAGES: dict[str, tuple[Damage, FileProblem]] = {
    "nothing in it": (lambda _table, _data: b"", FileProblem.DAMAGED),
    "half a header": (lambda _table, data: data[:5], FileProblem.DAMAGED),
    "no genesis": (lambda _table, data: data[: len(MAGIC)], FileProblem.DAMAGED),
    "half a genesis": (lambda _table, data: data[:200], FileProblem.DAMAGED),
    "something else": (lambda _table, _data: b"GIF89a" * 9, FileProblem.FOREIGN),
    "a later version": (lambda _table, data: b"LANUNO\x00\x03" + data[8:], FileProblem.FOREIGN),
    "zeros in the middle": (
        lambda _table, data: data[:900] + bytes(5000) + data[900:],
        FileProblem.DAMAGED,
    ),
    "a genesis that is none": (
        lambda _table, data: MAGIC + record(b"?") + data,
        FileProblem.DAMAGED,
    ),
    "an unsigned genesis": (
        lambda table, _data: MAGIC + record(_unsigned(table)),
        FileProblem.FOREIGN,
    ),
    "an entry that is none": (lambda _table, data: data + record(b"?"), FileProblem.DAMAGED),
    "a bit in the middle": (
        lambda _table, data: _flipped(data, len(data) - 700),
        FileProblem.DAMAGED,
    ),
    "a bit at the end": (lambda _table, data: _flipped(data, len(data) - 70), FileProblem.DAMAGED),
    "an entry left out": (
        lambda table, _data: write(table.genesis, table.entries[:3] + table.entries[4:ENTRIES]),
        FileProblem.DAMAGED,
    ),
    "another table": (
        lambda _table, _data: write(new_table(3).genesis, ()),
        FileProblem.FOREIGN,
    ),
}


def _unsigned(table: LogTable) -> bytes:
    genesis = table.genesis
    return encode(type(genesis)(genesis.roster, genesis.signatures, genesis.nonces[::-1]))


def _flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_journal_is_told_and_kept(damage: str, home: Home, played: LogTable) -> None:
    table = played.genesis.table_id
    path = home.transcript(table)
    make, problem = DAMAGES[damage]
    path.write_bytes(make(played, path.read_bytes()))
    assert refused(home, table) is problem
    found, told = look(home)
    assert found == ()
    # A table without content is no problem: the program ended while creating the file.
    began = len(path.read_bytes()) > len(MAGIC) + 200
    assert told == ([problem] if began or problem is FileProblem.FOREIGN else [])


@pytest.mark.parametrize("torn", [1, 3, 4, 60])
def test_a_torn_journal_is_recovered_up_to_its_last_whole_entry(
    torn: int, home: Home, played: LogTable
) -> None:
    table = played.genesis.table_id
    path = home.transcript(table)
    path.write_bytes(path.read_bytes()[:-torn])
    found, told = look(home)
    assert [each.table_id for each in found] == [table]
    assert told == []
    before = path.read_bytes()
    recovered = read_table(home, table)
    assert recovered.state.entries == tuple(played.entries[: ENTRIES - 1])
    assert path.read_bytes() == before


def test_a_proof_against_the_host_stops_the_table(home: Home, played: LogTable) -> None:
    """The journal ends with the evidence, as the node that found it stores it."""
    table = played.genesis.table_id
    path = home.transcript(table)
    so_far = path.read_bytes()
    proofs = [
        changed(played.entries[ENTRIES], state=b"?" * 32),
        changed(played.entries[ENTRIES - 1], ms=77),
    ]
    for proof in proofs:
        path.write_bytes(so_far + record(encode(proof)))
        assert refused(home, table) is FileProblem.EVIDENCE
        assert look(home) == ((), [FileProblem.EVIDENCE])
    # An entry without the host's signature proves nothing against the host.
    forged = Entry(proofs[0].core, b"x" * 64)
    path.write_bytes(so_far + record(encode(forged)))
    assert refused(home, table) is FileProblem.DAMAGED


def test_a_proof_behind_the_close_does_not_open_the_table_again(
    home: Home, played: LogTable
) -> None:
    path = home.transcript(played.genesis.table_id)
    path.write_bytes(played.file)
    assert look(home) == ((), [])
    path.write_bytes(played.file + record(encode(changed(played.entries[-1], ms=1))))
    assert look(home) == ((), [])
    garbage = sign_entry(played.entries[-1].read(), identity(0))
    path.write_bytes(played.file + record(encode(Entry(b"?", garbage.signature))))
    assert look(home) == ((), [])


SIDECARS: dict[str, tuple[Callable[[bytes], bytes], FileProblem | None]] = {
    "something else": (lambda _data: b"GIF89a" * 9, FileProblem.FOREIGN),
    "an earlier version": (
        lambda data: data.replace(b"sidecar 3", b"sidecar 2"),
        FileProblem.FOREIGN,
    ),
    "a record that is none": (lambda data: data + record(b"?"), FileProblem.DAMAGED),
    "a record of a later version": (lambda data: data + record(b"\x91\x09"), FileProblem.DAMAGED),
    "a record twice": (lambda data: data + data[17:], FileProblem.DAMAGED),
    "a length that cannot be": (lambda data: data + b"\xff" * 9, FileProblem.DAMAGED),
    "torn": (lambda data: data[:-3], None),
    "empty": (lambda _data: b"", None),
}


@pytest.mark.parametrize("damage", SIDECARS)
def test_a_damaged_sidecar_is_told_and_kept(damage: str, home: Home, played: LogTable) -> None:
    table = played.genesis.table_id
    private = home.sidecar(table)
    make, problem = SIDECARS[damage]
    before = make(private.read_bytes())
    private.write_bytes(before)
    assert [each.table_id for each in look(home)[0]] == [table]
    if problem is not None:
        assert refused(home, table) is problem
        return
    kept = read_table(home, table).state
    assert kept.votes == {}
    torn = private.with_name(private.name + ".torn0")
    held = private.read_bytes() + (torn.read_bytes() if torn.exists() else b"")
    assert held.endswith(before[-20:])


def test_signed_bytes_that_are_none(home: Home, played: LogTable) -> None:
    with Sidecar(home.sidecar(played.genesis.table_id)) as sidecar:
        sidecar.put_signed(0, 4, b"no body")
    assert refused(home, played.genesis.table_id) is FileProblem.DAMAGED


@pytest.mark.parametrize("missing", ["transcript", "sidecar", "both"])
def test_a_table_with_a_missing_file_cannot_be_resumed(
    missing: str, home: Home, played: LogTable
) -> None:
    table = played.genesis.table_id
    for path in (home.transcript(table), home.sidecar(table)):
        if missing in (path.suffix[1:], "both") or (
            missing == "transcript" and path.suffix == ".lanuno"
        ):
            path.unlink()
    before = everything(home)
    assert look(home) == ((), [])
    assert refused(home, table) is FileProblem.NOT_READABLE
    assert everything(home) == before


def test_a_running_program_keeps_others_out(home: Home, played: LogTable) -> None:
    records = TableRecords(home, resumed=True)
    records.begin(played.genesis)
    assert refused(home, played.genesis.table_id) is FileProblem.IN_USE
    assert len(look(home)[0]) == 1
    records.close()
    assert read_table(home, played.genesis.table_id).state.votes == {1: b"vote"}


def test_a_folder_that_cannot_be_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as locked:
        locked.setattr(Path, "iterdir", failing(errno.EACCES))
        with pytest.raises(StoreError) as caught:
            unfinished_tables(home, ME)
    assert (caught.value.problem, caught.value.path) == (FileProblem.NOT_READABLE, home.games)
    assert unfinished_tables(Home.at(home.data / "nowhere"), ME) == ()


def test_a_file_that_cannot_be_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    for where, call in ((files, "open_to_read"), (os, "stat"), (files, "read_at")):
        with monkeypatch.context() as locked:
            locked.setattr(where, call, failing(errno.EACCES))
            assert look(home) == ((), [FileProblem.NOT_READABLE])
    assert len(look(home)[0]) == 1


def test_other_files_beside_them_are_passed_over(home: Home, played: LogTable) -> None:
    path = home.transcript(played.genesis.table_id)
    path.with_name("notes.txt").write_text("hello")
    path.with_name(path.name + ".aside0").write_bytes(b"?")
    assert len(look(home)[0]) == 1
    path.with_name("copy.lanuno").write_bytes(path.read_bytes())
    found, told = look(home)
    assert len(found) == 1
    assert told == [FileProblem.FOREIGN]
