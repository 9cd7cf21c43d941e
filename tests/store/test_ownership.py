"""Tests of finding files of another user."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.ownership import ForeignFile, foreign_file
from tests.harness.systems import not_on_windows

OTHER = 23456


@not_on_windows("files have no owner")
def test_the_outermost_foreign_file_is_named_with_the_way_back() -> None:
    """Only root can make files of others, and become their owner for a while."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        home.chmod(0o755)
        inner = home / "my games" / "private"
        inner.mkdir(parents=True)
        error = StoreError(FileProblem.NOT_WRITABLE, inner / "window.lock")
        assert foreign_file(error) is None
        if os.geteuid() != 0:
            return
        os.chown(home, OTHER, OTHER)
        group = os.getegid()
        os.setegid(OTHER)
        os.seteuid(OTHER)
        try:
            command = f"sudo chown -R {OTHER}:{OTHER} '{home / 'my games'}'"
            assert foreign_file(error) == ForeignFile(home / "my games", "root", command)
            full = StoreError(FileProblem.DISK_FULL, inner)
            assert foreign_file(full) is None
        finally:
            os.seteuid(0)
            os.setegid(group)


@not_on_windows("files have no owner")
def test_a_place_in_nobodys_folder_has_no_way_back() -> None:
    found = foreign_file(StoreError(FileProblem.NOT_WRITABLE, Path("/none/of/these")))
    assert found == (None if os.geteuid() == 0 else ForeignFile(Path("/"), "root", ""))
