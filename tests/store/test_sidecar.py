"""The private file of a table: stored before use, never replaced, never shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.journal import Journal
from lanuno.store.sidecar import COUNTERS_AT_ONCE, MAGIC, Sidecar
from lanuno.system import files
from tests.harness.systems import is_private, not_on_windows

SEED = bytes(range(32))
ROUND, NEXT = b"r" * 32, b"n" * 32


def contradictions(sidecar: Sidecar) -> list[Callable[[], None]]:
    """Return calls that store something different under an existing key."""
    return [
        lambda: sidecar.put_seed(0, ROUND, "round", bytes(32)),
        lambda: sidecar.put_signed(0, 1, b"two"),
        lambda: sidecar.put_vote(1, b"no"),
        lambda: sidecar.put_stand_in(3, bytes(32)),
    ]


def test_stored_secrets_are_read_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with Sidecar(path) as sidecar:
        sidecar.put_seed(0, ROUND, "round", SEED)
        sidecar.put_seed(0, ROUND, "view", SEED[::-1])
        sidecar.put_seed(0, NEXT, "round", bytes(32))
        sidecar.put_signed(0, 7, b"signed seven")
        sidecar.put_signed(0, 3, b"")
        sidecar.put_vote(2, b"vote")
    with Sidecar(path) as sidecar:
        assert sidecar.path == path
        assert sidecar.torn is None
        assert sidecar.seeds() == {
            0: {(ROUND, "round"): SEED, (ROUND, "view"): SEED[::-1], (NEXT, "round"): bytes(32)}
        }
        assert sidecar.signed() == {0: {7: b"signed seven", 3: b""}}
        assert sidecar.votes() == {2: b"vote"}


def test_it_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s"
    Sidecar(path).close()
    assert is_private(path)
    monkeypatch.setattr(files, "shared_mode", lambda _status: "0640")
    with pytest.raises(StoreError) as caught:
        Sidecar(path)
    assert caught.value.problem is FileProblem.NOT_PRIVATE


def test_one_flush_puts_everything_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Sidecar(tmp_path / "s") as sidecar:
        sidecar.flush()
        synced: list[int] = []
        real = os.fsync

        def fsync(file: int) -> None:
            synced.append(os.fstat(file).st_size)
            real(file)

        monkeypatch.setattr(os, "fsync", fsync)
        sidecar.put_seed(0, ROUND, "round", SEED)
        sidecar.put_signed(0, 1, b"x")
        sidecar.put_vote(1, b"x")
        sidecar.put_stand_in(3, SEED)
        sidecar.put_release(0, 1, 1, ROUND)
        assert synced == []
        sidecar.flush()
        assert synced == [(tmp_path / "s").stat().st_size]


@not_on_windows("it flushes no folder")
def test_a_new_file_and_its_name_are_on_the_disk_after_the_first_flush(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    real = os.fsync

    def fsync(file: int) -> None:
        synced.append(Path(f"/proc/self/fd/{file}").readlink())
        real(file)

    monkeypatch.setattr(os, "fsync", fsync)
    with Sidecar(tmp_path / "s") as sidecar:
        for _ in range(2):
            sidecar.flush()
    assert synced == [tmp_path / "s", tmp_path, tmp_path / "s"]


def test_nothing_is_ever_replaced(tmp_path: Path) -> None:
    with Sidecar(tmp_path / "s") as sidecar:
        sidecar.put_seed(0, ROUND, "round", SEED)
        sidecar.put_signed(0, 1, b"one")
        sidecar.put_vote(1, b"yes")
        sidecar.put_stand_in(3, SEED)
        size = (tmp_path / "s").stat().st_size
        sidecar.put_seed(0, ROUND, "round", SEED)
        sidecar.put_signed(0, 1, b"one")
        sidecar.put_vote(1, b"yes")
        sidecar.put_stand_in(3, SEED)
        assert (tmp_path / "s").stat().st_size == size
        for put in contradictions(sidecar):
            with pytest.raises(StoreError) as caught:
                put()
            assert caught.value.problem is FileProblem.CONTRADICTION
        assert sidecar.seeds() == {0: {(ROUND, "round"): SEED}}
        assert sidecar.signed()[0][1] == b"one"
        assert sidecar.votes()[1] == b"yes"
        assert sidecar.stand_ins() == {3: SEED}


def test_a_used_counter_never_comes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s"
    synced: list[int] = []
    real = os.fsync

    def fsync(file: int) -> None:
        synced.append(os.fstat(file).st_size)
        real(file)

    with Sidecar(path) as sidecar:
        assert sidecar.next_counter(0) == 0
        sidecar.flush()
        with monkeypatch.context() as watched:
            watched.setattr(os, "fsync", fsync)
            for counter in range(2 * COUNTERS_AT_ONCE):
                needs_flush = counter >= sidecar.next_counter(0)
                sidecar.put_signed(0, counter, b"x")
                if needs_flush:
                    sidecar.flush()
        assert len(synced) == 2
        assert sidecar.next_counter(1) == 0
    data = path.read_bytes()
    for length in (synced[0], synced[0] + 1, synced[1], len(data)):
        path.write_bytes(data[:length])
        with Sidecar(path) as sidecar:
            first = COUNTERS_AT_ONCE if length < synced[1] else 2 * COUNTERS_AT_ONCE
            assert sidecar.next_counter(0) == first
            assert max(sidecar.signed().get(0, {}), default=-1) < first


def test_an_older_version_is_told_and_kept(tmp_path: Path) -> None:
    (tmp_path / "s").write_bytes(b"lanuno sidecar 1\n")
    (tmp_path / "s").chmod(0o600)
    with pytest.raises(StoreError) as caught:
        Sidecar(tmp_path / "s")
    assert caught.value.problem is FileProblem.FOREIGN
    assert (tmp_path / "s").read_bytes() == b"lanuno sidecar 1\n"


def test_a_crash_while_putting_forgets_only_that(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with Sidecar(path) as sidecar:
        sidecar.put_seed(0, ROUND, "round", SEED)
        sidecar.put_signed(0, 0, b"zero")
        whole = path.stat().st_size
        sidecar.put_signed(0, 1, b"one")
    data = path.read_bytes()
    for length in range(whole, len(data)):
        path.write_bytes(data[:length])
        with Sidecar(path) as sidecar:
            assert (sidecar.torn is not None) == (length > whole)
            assert sidecar.seeds() == {0: {(ROUND, "round"): SEED}}
            assert 1 not in sidecar.signed().get(0, {})
            sidecar.put_signed(0, 1, b"again")
            assert sidecar.signed()[0][1] == b"again"


@pytest.mark.parametrize(
    "record",
    [
        b"\x00",
        msgspec.msgpack.encode([9, 1, "x"]),
        msgspec.msgpack.encode([1, 0, ROUND, "round", SEED[:31]]),
        msgspec.msgpack.encode([1, 0, ROUND, "round", SEED, 1]),
        msgspec.msgpack.encode([1, 0, ROUND, "round", SEED]),
        b"\x94\x01\x00\xa2\xff\xff\xc4\x00",
    ],
)
def test_damage_is_an_error_without_quoting(record: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s"
    with Journal(path, MAGIC) as journal:
        journal.append(msgspec.msgpack.encode([1, 0, ROUND, "round", SEED]))
        journal.append(record)
    before = path.read_bytes()
    for _ in range(2):  # the error releases the file
        with pytest.raises(StoreError) as caught:
            Sidecar(path)
        assert caught.value.problem is FileProblem.DAMAGED
    assert path.read_bytes() == before


@pytest.mark.parametrize("seed", [b"", SEED[:31], SEED + b"x"])
def test_a_seed_has_32_bytes(seed: bytes, tmp_path: Path) -> None:
    with Sidecar(tmp_path / "s") as sidecar:
        with pytest.raises(ValueError, match="cannot be kept"):
            sidecar.put_seed(0, ROUND, "round", seed)
        assert sidecar.seeds() == {}
    Sidecar(tmp_path / "s").close()


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    secret = b"very hidden, do not show it here"
    with Sidecar(tmp_path / "s") as sidecar:
        sidecar.put_seed(0, ROUND, "round", secret)
        sidecar.put_signed(0, 1, secret)
        sidecar.put_vote(1, secret)
        sidecar.put_stand_in(3, secret)
        for put in contradictions(sidecar):
            with pytest.raises(StoreError) as caught:
                put()
            assert "hidden" not in str(caught.value)
            assert "two" not in str(caught.value)
