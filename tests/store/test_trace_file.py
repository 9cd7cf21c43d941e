"""The file of `--trace`: private, always new, and never in the way of the game."""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path

import pytest

from lanuno.store import trace_file
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.trace_file import TraceFile, trace_to
from lanuno.system import files
from tests.harness.homes.small_disk import small_disk
from tests.harness.systems import is_private, no_links_under_wine, not_on_windows


def test_lines_of_several_nodes_in_one_private_file(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    with trace_to(path) as trace:
        assert trace is not None
        assert [trace.add_node(), trace.add_node()] == [0, 1]
        trace.write(b"one\n")
        assert path.read_bytes() == b"one\n", "a crash must not lose it"
        trace.write(b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"
    assert is_private(path)


def test_without_a_path_there_is_no_trace() -> None:
    with trace_to(None) as trace:
        assert trace is None


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(b"precious")
    with pytest.raises(StoreError) as caught:
        TraceFile(path)
    assert caught.value.problem is FileProblem.ALREADY_THERE
    assert path.read_bytes() == b"precious"


@pytest.mark.parametrize("name", ["nowhere/a.trace", ".", "x" * 300])
def test_a_place_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError) as caught:
        TraceFile(tmp_path / name)
    assert caught.value.problem in (FileProblem.NOT_WRITABLE, FileProblem.ALREADY_THERE)


def test_a_session_without_a_table_leaves_no_file(tmp_path: Path) -> None:
    with trace_to(tmp_path / "a.trace"):
        assert (tmp_path / "a.trace").exists()
    assert not (tmp_path / "a.trace").exists()


@not_on_windows("a test can mount no disk")
@pytest.mark.logs_warnings
def test_a_full_disk_ends_the_trace_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_file, "SPARE_BYTES", 0)
    with small_disk(tmp_path / "disk") as disk, trace_to(disk.folder / "a.trace") as trace:
        assert trace is not None
        trace.add_node()
        with disk.filled(), caplog.at_level(logging.WARNING):
            for _ in range(5):
                trace.write(b"x" * 8191 + b"\n")
        trace.write(b"no more\n")
        assert b"no more" not in (disk.folder / "a.trace").read_bytes()
    assert len([each for each in caplog.records if "the trace ends here" in each.message]) == 1


@not_on_windows("a test can mount no disk")
@pytest.mark.logs_warnings
def test_a_trace_leaves_room_on_the_disk(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_disk(tmp_path / "disk") as disk:
        free = files.free_bytes(disk.folder)
        monkeypatch.setattr(trace_file, "SPARE_BYTES", free // 2)
        monkeypatch.setattr(trace_file, "CHECK_BYTES", 8192)
        with trace_to(disk.folder / "a.trace") as trace, caplog.at_level(logging.WARNING):
            assert trace is not None
            trace.add_node()
            for _ in range(free // 8192):
                trace.write(b"x" * 8191 + b"\n")
        size = (disk.folder / "a.trace").stat().st_size
        assert free // 4 < size < free * 3 // 4
    assert "hardly any space is left" in caplog.text


@pytest.mark.logs_warnings
def test_a_failure_to_close_is_not_passed_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = os.close

    def fail(file: int) -> None:
        close(file)
        raise OSError(errno.EDQUOT, "over quota")

    monkeypatch.setattr(trace_file, "LARGEST_TRACE", 10)
    trace = TraceFile(tmp_path / "a.trace")
    trace.add_node()
    monkeypatch.setattr(os, "close", fail)
    with caplog.at_level(logging.WARNING):
        trace.write(b"longer than ten\n")
    monkeypatch.undo()
    # The number of the closed file belongs to another file now.
    with (tmp_path / "journal").open("wb"):
        trace.write(b"secret\n")
    trace.close()
    assert (tmp_path / "journal").read_bytes() == b""
    assert "the trace ends here" in caplog.text


@pytest.mark.logs_warnings
def test_a_trace_has_a_largest_size(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_file, "LARGEST_TRACE", 10)
    with trace_to(tmp_path / "a.trace") as trace, caplog.at_level(logging.WARNING):
        assert trace is not None
        trace.add_node()
        for _ in range(5):
            trace.write(b"1234\n")
    assert (tmp_path / "a.trace").read_bytes() == b"1234\n" * 2
    assert "largest size" in caplog.text


@no_links_under_wine
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.trace").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError):
        TraceFile(tmp_path / "a.trace")
    assert not (tmp_path / "elsewhere").exists()
