"""The journal: if a writer dies at any byte, exactly the complete records survive."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.store import journal as module
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.journal import Journal, TornTail, read_journal, scan_journal
from tests.harness.systems import LINK_OR_PIPE, is_private, not_on_windows
from tests.store.failing_disk import FullDisk, failing

MAGIC = b"test journal\x001"
RECORDS = [b"a", b"\x00\x00\x00\x05", b"three" * 9, bytes(4), b"\x00"]


def frame(record: bytes) -> bytes:
    return len(record).to_bytes(4, "big") + record


def image(records: list[bytes]) -> bytes:
    return MAGIC + b"".join(frame(record) for record in records)


def contents(path: Path) -> list[bytes]:
    with Journal(path, MAGIC) as journal:
        return list(journal)


def test_appended_records_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path, MAGIC) as journal:
        assert len(journal) == 0
        assert [journal.append(record) for record in RECORDS] == list(range(len(RECORDS)))
        assert list(journal) == RECORDS
        assert journal[2] == RECORDS[2]
        journal.sync()
        assert journal.size == path.stat().st_size
    assert path.read_bytes() == image(RECORDS)
    assert is_private(path)
    assert read_journal(path, MAGIC) == (tuple(RECORDS), None)
    with Journal(path, MAGIC) as journal:
        assert journal.torn is None
        journal.append(b"more")
    assert contents(path) == [*RECORDS, b"more"]


def test_appended_bytes_are_with_the_system_at_once(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", MAGIC) as journal:
        journal.append(b"x")
        assert (tmp_path / "j").read_bytes() == image([b"x"])


@pytest.mark.parametrize("length", range(len(image(RECORDS))))
def test_a_write_torn_at_any_byte_loses_only_that_record(length: int, tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(image(RECORDS)[:length])
    whole = [r for n, r in enumerate(RECORDS) if len(image(RECORDS[: n + 1])) <= length]
    kept = len(image(whole)) if length >= len(MAGIC) else 0
    with Journal(path, MAGIC) as journal:
        assert list(journal) == whole
        if length > kept:
            assert journal.torn is not None
            assert journal.torn.length == length - kept
            assert journal.torn.kept is not None
            assert journal.torn.kept.read_bytes() == image(RECORDS)[kept:length]
        else:
            assert journal.torn is None
        journal.append(b"next")
    assert contents(path) == [*whole, b"next"]
    assert path.read_bytes() == image([*whole, b"next"])


@pytest.mark.parametrize("zeros", [1, 3, 4, 5, 100])
def test_a_tail_of_zeros_is_torn(zeros: int, tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(image([b"x"]) + bytes(zeros))
    with Journal(path, MAGIC) as journal:
        assert list(journal) == [b"x"]
        assert journal.torn is not None
        assert journal.torn.length == zeros


def test_reading_a_torn_journal_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "j"
    data = image([b"x", b"yz"])[:-1]
    path.write_bytes(data)
    path.chmod(0o444)
    assert read_journal(path, MAGIC) == ((b"x",), TornTail(5, None))
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_every_torn_tail_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "j"
    for _ in range(3):
        path.write_bytes(image([b"x"]) + b"\x00\x00\x00\x09torn")
        contents(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["j", "j.torn0", "j.torn1", "j.torn2"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"something else", FileProblem.FOREIGN),
        (b"tost", FileProblem.FOREIGN),
        (b"test journal\x002" + frame(b"x"), FileProblem.FOREIGN),
        (image([b"x"]) + bytes(4) + frame(b"y"), FileProblem.DAMAGED),
        (image([b"x"]) + b"\xff\xff\xff\xff" + b"y", FileProblem.DAMAGED),
        (image([b"x"]) + (65 * 1024).to_bytes(4, "big") + bytes(66 * 1024), FileProblem.DAMAGED),
    ],
)
def test_other_damage_is_an_error_and_the_file_is_kept(
    data: bytes, problem: FileProblem, tmp_path: Path
) -> None:
    path = tmp_path / "j"
    path.write_bytes(data)
    with pytest.raises(StoreError) as caught:
        Journal(path, MAGIC)
    assert caught.value.problem is problem
    with pytest.raises(StoreError) as caught:
        read_journal(path, MAGIC)
    assert caught.value.problem is problem
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_far_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j"
    monkeypatch.setattr(module, "LARGEST_FILE", 100)
    path.write_bytes(image([bytes([1]) * 200]))
    for opening in (Journal, read_journal):
        with pytest.raises(StoreError) as caught:
            opening(path, MAGIC)
        assert caught.value.problem is FileProblem.TOO_LARGE


def test_a_journal_does_not_grow_past_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 30)
    with Journal(tmp_path / "j", MAGIC) as journal:
        journal.append(b"12345")
        with pytest.raises(StoreError) as caught:
            journal.append(b"123456789")
        assert caught.value.problem is FileProblem.TOO_LARGE
        assert list(journal) == [b"12345"]


@pytest.mark.parametrize("record", [b"", bytes(64 * 1024 + 1)])
def test_records_have_a_size(record: bytes, tmp_path: Path) -> None:
    with Journal(tmp_path / "j", MAGIC) as journal:
        with pytest.raises(ValueError, match="bytes"):
            journal.append(record)
        assert journal.size == len(MAGIC)


@pytest.mark.parametrize("room", range(10))
def test_a_full_disk_leaves_no_half_record(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j"
    disk = FullDisk(monkeypatch)
    with Journal(path, MAGIC) as journal:
        journal.append(b"before")
        disk.room = room
        with pytest.raises(StoreError) as caught:
            journal.append(b"too long")
        assert caught.value.problem is FileProblem.DISK_FULL
        disk.room = None
        assert path.read_bytes() == image([b"before"])
        journal.append(b"after")
        assert list(journal) == [b"before", b"after"]
    assert contents(path) == [b"before", b"after"]


def test_nothing_is_appended_behind_half_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j"
    disk = FullDisk(monkeypatch)
    with Journal(path, MAGIC) as journal:
        journal.append(b"before")
        disk.room = 3
        with monkeypatch.context() as broken:
            broken.setattr(os, "ftruncate", failing(errno.EIO))
            with pytest.raises(StoreError):
                journal.append(b"too long")
        disk.room = None
        with pytest.raises(StoreError) as caught:
            journal.append(b"after")
        assert caught.value.problem is FileProblem.CLOSED
    assert contents(path) == [b"before"]


def test_a_failed_sync_closes_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(tmp_path / "j", MAGIC) as journal:
        journal.append(b"x")
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", failing(errno.EIO))
            with pytest.raises(StoreError) as caught:
                journal.sync()
            assert caught.value.problem is FileProblem.NOT_WRITABLE
        with pytest.raises(StoreError) as caught:
            journal.sync()
        assert caught.value.problem is FileProblem.CLOSED


def test_a_closed_journal_says_so(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", MAGIC)
    journal.append(b"x")
    journal.close()
    journal.close()
    for use in (journal.sync, lambda: journal.append(b"y"), lambda: journal[0]):
        with pytest.raises(StoreError) as caught:
            use()
        assert caught.value.problem is FileProblem.CLOSED


def test_two_writers_are_one_too_many(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", MAGIC):
        with pytest.raises(StoreError) as caught:
            Journal(tmp_path / "j", MAGIC)
        assert caught.value.problem is FileProblem.IN_USE
        assert read_journal(tmp_path / "j", MAGIC) == ((), None)
    assert contents(tmp_path / "j") == []


def test_bytes_that_vanish_are_damage(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", MAGIC) as journal:
        journal.append(b"x")
        os.truncate(tmp_path / "j", len(MAGIC))
        with pytest.raises(StoreError) as caught:
            assert journal[0]
        assert caught.value.problem is FileProblem.DAMAGED
        with pytest.raises(IndexError):
            assert journal[1]


@pytest.mark.parametrize("kind", ["missing", "folder", *LINK_OR_PIPE])
def test_only_files_are_opened(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "j"
    if kind != "missing":
        path.parent.mkdir()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError) as caught:
        Journal(path, MAGIC)
    assert caught.value.problem in (FileProblem.NOT_WRITABLE, FileProblem.NOT_READABLE)
    with pytest.raises(StoreError) as caught:
        read_journal(path, MAGIC)
    assert caught.value.problem is FileProblem.NOT_READABLE
    assert not (tmp_path / "elsewhere").exists()


@not_on_windows("files have no mode")
def test_a_private_journal_is_refused_when_others_could_read_it(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(image([]))
    path.chmod(0o644)
    assert contents(path) == []
    with pytest.raises(StoreError) as caught:
        Journal(path, MAGIC, private=True)
    assert caught.value.problem is FileProblem.NOT_PRIVATE


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=6), st.binary(max_size=12))
def test_scan_never_loses_a_whole_record(records: list[bytes], tail: bytes) -> None:
    data = image(records) + tail
    try:
        found, end = scan_journal(data, MAGIC, Path("j"), largest=40)
    except StoreError as error:
        assert error.problem is FileProblem.DAMAGED
        return
    read = [data[start : start + length] for start, length in found]
    assert read[: len(records)] == records
    assert image(read) == data[:end]


@given(st.binary(max_size=200))
def test_scan_of_anything_is_records_or_one_error(data: bytes) -> None:
    try:
        _, end = scan_journal(MAGIC + data, MAGIC, Path("j"), largest=40)
    except StoreError as error:
        assert error.problem is FileProblem.DAMAGED
    else:
        assert end <= len(MAGIC) + len(data)


WRITER = """
import sys, pathlib
from lanuno.store.journal import Journal
journal = Journal(pathlib.Path(sys.argv[1]), bytes.fromhex(sys.argv[2]))
number = len(journal)
while True:
    journal.append(number.to_bytes(8, "big") * (1 + number % 500))
    number += 1
    if number % 16 == 0:
        print(number, flush=True)
"""


def test_a_killed_writer_loses_nothing_that_it_said_was_written(tmp_path: Path) -> None:
    path = tmp_path / "j"
    said = 0
    for _ in range(4):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), MAGIC.hex()],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[2],
        ) as process:
            assert process.stdout is not None
            for _ in range(6):
                said = int(process.stdout.readline())
            process.kill()
            process.wait()
        with Journal(path, MAGIC) as journal:
            assert len(journal) >= said
            for number, record in enumerate(journal):
                assert record == number.to_bytes(8, "big") * (1 + number % 500)
