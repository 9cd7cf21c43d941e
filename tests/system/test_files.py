"""Files on every system: opened, locked, read at a place, renamed and replaced."""

from __future__ import annotations

import errno
import os
import sys
import threading
from pathlib import Path

import pytest

from lanuno.system import files
from tests.harness.systems import no_links_under_wine


def test_bytes_stay_as_they_are(tmp_path: Path) -> None:
    """Windows would translate ends of lines, and stop at 0x1A."""
    path = tmp_path / "f"
    data = bytes(range(256)) + b"\r\n\n"
    for opened in (files.create(path), files.open_to_change(path), files.open_to_append(path)):
        files.write_all(opened, data)
        files.sync(opened)
        os.close(opened)
    files.sync_folder(tmp_path)
    reading = files.open_to_read(path)
    assert os.read(reading, 9999) == data * 2, "the second one wrote over the first"
    os.close(reading)


def test_a_new_file_is_nobody_elses(tmp_path: Path) -> None:
    path = tmp_path / "f"
    os.close(files.create(path))
    for again in (files.create, lambda path: files.open_to_append(path, new=True)):
        with pytest.raises(FileExistsError):
            again(path)
    status = path.stat()
    assert not files.is_foreign(status)
    assert files.shared_mode(status) == ""


def test_reading_at_a_place_leaves_the_position(tmp_path: Path) -> None:
    opened = files.open_to_change(tmp_path / "f")
    files.write_all(opened, b"one two")
    assert files.read_at(opened, 3, 0) == b"one"
    assert files.read_at(opened, 99, 4) == b"two"
    files.write_all(opened, b"!")
    assert files.read_at(opened, 99, 0) == b"one two!"
    os.close(opened)


def test_a_lock_ends_with_its_opening(tmp_path: Path) -> None:
    path = tmp_path / "f"
    first, second = files.open_to_change(path), files.open_to_change(path)
    files.write_all(first, b"data")
    assert files.lock(first)
    assert not files.lock(second)
    assert files.read_at(second, 9, 0) == b"data", "what is locked can be read"
    os.close(first)
    assert files.lock(second)
    os.close(second)


def test_a_file_for_appending_can_be_locked(tmp_path: Path) -> None:
    path = tmp_path / "f"
    first, second = files.open_to_append(path), files.open_to_append(path)
    assert files.lock(first)
    assert not files.lock(second)
    for opened in (first, second, first):
        files.write_all(opened, b"x\n")
        os.close(os.dup(opened))
    os.close(first)
    os.close(second)
    assert path.read_bytes() == b"x\n" * 3


def test_an_open_file_is_renamed_and_deleted(tmp_path: Path) -> None:
    path, other, third = tmp_path / "f", tmp_path / "g", tmp_path / "h"
    opened = files.open_to_append(path)
    files.write_all(opened, b"old")
    files.replace(path, other)
    files.rename_new(other, third)
    other.unlink(missing_ok=True)
    reading = files.open_to_read(third)
    third.unlink()
    os.close(reading)
    os.close(opened)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_once_nobody_has_it_open(tmp_path: Path) -> None:
    """At once, where the system can do it; else after a while."""
    path, other = tmp_path / "f", tmp_path / "g"
    other.write_bytes(b"old")
    reading = files.open_to_read(other)
    path.write_bytes(b"new")
    end = threading.Timer(0.1, os.close, (reading,))
    end.start()
    files.replace(path, other)
    end.join()
    assert other.read_bytes() == b"new"


@no_links_under_wine
def test_a_link_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "f")
    for call in (files.open_to_change, files.open_to_append, files.create):
        with pytest.raises(OSError, match=r"link|exists"):
            call(link)
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize("links", [True, False])
def test_a_taken_name_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, links: bool
) -> None:
    """Also by a file system that knows no second names, as that of most USB sticks."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    if not links and sys.platform != "win32":
        monkeypatch.setattr(os, "link", refuse)
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(b"new")
    files.rename_new(source, target)
    assert target.read_bytes() == b"new"
    source.unlink(missing_ok=True)
    source.write_bytes(b"newer")
    with pytest.raises(FileExistsError):
        files.rename_new(source, target)
    assert target.read_bytes() == b"new"


def test_the_disk_has_room(tmp_path: Path) -> None:
    assert files.free_bytes(tmp_path) > 0
    assert not files.is_read_only(tmp_path)


def test_the_null_device_is_empty() -> None:
    null = files.open_null()
    assert os.read(null, 9) == b""
    files.write_all(null, b"gone")
    os.close(null)
