"""Crash-safe writes, private modes, and bounded reads."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lanuno.store.durable import (
    check_private,
    files_in,
    make_private_folder,
    read_bounded,
    write_private,
)
from lanuno.store.errors import FileProblem, StoreError
from lanuno.system import files
from tests.harness.systems import is_private, not_on_windows
from tests.store.failing_disk import FullDisk, failing


def test_a_private_file_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_private(tmp_path / "f", b"x")
        make_private_folder(tmp_path / "a" / "b")
    finally:
        os.umask(before)
    assert is_private(tmp_path / "f")
    assert is_private(tmp_path / "a")
    assert is_private(tmp_path / "a" / "b")


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_private(path, b"old")
    write_private(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("room", range(6))
def test_a_full_disk_leaves_the_old_file(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    write_private(path, b"old")
    FullDisk(monkeypatch).room = room
    with pytest.raises(StoreError) as caught:
        write_private(path, b"longer")
    assert caught.value.problem is FileProblem.DISK_FULL
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("call", ["sync", "create"])
def test_a_failing_disk_leaves_the_old_file(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    write_private(path, b"old")
    with monkeypatch.context() as broken:
        broken.setattr(files, call, failing(errno.EIO))
        with pytest.raises(StoreError) as caught:
            write_private(path, b"new")
    assert caught.value.problem is FileProblem.NOT_WRITABLE
    assert caught.value.path == path
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_bytes_are_on_disk_before_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    steps: list[str] = []

    def noted(name: str) -> Callable[[Any], None]:
        real = getattr(files, name)

        def call(what: Any) -> None:
            steps.append(f"{name}, name {'there' if path.exists() else 'missing'}")
            real(what)

        return call

    for name in ("sync", "sync_folder"):
        monkeypatch.setattr(files, name, noted(name))
    write_private(path, b"x")
    assert steps == ["sync, name missing", "sync_folder, name there"]


def test_an_existing_file_is_not_overwritten_when_asked_so(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_private(path, b"first", replace=False)
    with pytest.raises(StoreError) as caught:
        write_private(path, b"second", replace=False)
    assert caught.value.problem is FileProblem.ALREADY_THERE
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_reading_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"12345")
    assert read_bounded(path, 5) == b"12345"
    with pytest.raises(StoreError) as caught:
        read_bounded(path, 4)
    assert caught.value.problem is FileProblem.TOO_LARGE


def test_a_missing_file_is_none(tmp_path: Path) -> None:
    assert read_bounded(tmp_path / "f", 5) is None


@pytest.mark.parametrize("permissions", [0o604, 0o640, 0o660, 0o602, 0o610])
@not_on_windows("files have no mode")
def test_a_secret_that_others_could_reach_is_not_read(permissions: int, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"hidden words")
    path.chmod(permissions)
    with pytest.raises(StoreError) as caught:
        read_bounded(path, 20, private=True)
    assert caught.value.problem is FileProblem.NOT_PRIVATE
    assert "hidden" not in str(caught.value)
    assert read_bounded(path, 20) == b"hidden words"


@not_on_windows("files have no owner")
def test_a_secret_of_another_user_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    write_private(path, b"x")
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.raises(StoreError) as caught:
        read_bounded(path, 10, private=True)
    assert caught.value.problem is FileProblem.NOT_OURS


@pytest.mark.parametrize(
    "kind",
    ["folder", pytest.param("pipe", marks=not_on_windows("it has no pipes among its files"))],
)
def test_only_files_are_read_and_a_pipe_does_not_block(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "f"
    if kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    with pytest.raises(StoreError) as caught:
        read_bounded(path, 10)
    assert caught.value.problem is FileProblem.NOT_A_FILE


def test_a_file_in_the_way_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"")
    for path in (tmp_path / "f", tmp_path / "f" / "g"):
        with pytest.raises(StoreError) as caught:
            make_private_folder(path)
        assert caught.value.problem is FileProblem.NOT_WRITABLE


def test_checking_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        check_private(tmp_path / "f")
    assert caught.value.problem is FileProblem.NOT_READABLE


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).touch()
    assert files_in(tmp_path) == [tmp_path / "a", tmp_path / "b"]
    assert files_in(tmp_path / "none") == []
    with pytest.raises(StoreError) as caught:
        files_in(tmp_path / "a")
    assert caught.value.problem is FileProblem.NOT_READABLE
