"""The possible folders for the window's socket: none that another user can write to."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanuno.store import socket_places as module
from lanuno.store.errors import FileProblem
from lanuno.store.paths import Home
from lanuno.store.socket_places import LONGEST_PATH, socket_places
from lanuno.system import files
from tests.harness.homes.played_games import new_home
from tests.harness.systems import is_private, skip_module_on_windows

skip_module_on_windows("it has named pipes")

OWN = f"lanuno-{files.own_ids()[0]}"


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a temporary folder like the system's, with a short name."""
    with tempfile.TemporaryDirectory(prefix="l", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o1777)
        monkeypatch.setattr(module, "gettempdir", lambda: name)
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        yield folder


@pytest.fixture
def deep(tmp_path: Path) -> Home:
    """Return a home whose paths are too long for a socket."""
    return new_home(tmp_path / ("x" * LONGEST_PATH))


def test_the_private_folder_comes_first(temporary: Path) -> None:
    home = new_home(temporary / "home")
    places, refused = socket_places(home)
    assert places[0] == home.private / "window"
    assert refused == []
    # No unneeded folder is created.
    assert not (temporary / OWN).exists()
    home.private.chmod(0o755)
    places, (error,) = socket_places(home)
    assert home.private not in [place.parent for place in places]
    assert (error.problem, error.path) == (FileProblem.NOT_PRIVATE, home.private)


def test_a_deep_folder_has_its_socket_in_one_of_our_own(
    temporary: Path, deep: Home, tmp_path: Path
) -> None:
    (place,), (error,) = socket_places(deep)
    assert place.parent == temporary / OWN
    assert is_private(place.parent)
    assert len(os.fsencode(place)) <= LONGEST_PATH
    assert "too long" in error.detail
    # Each start finds the same path, and each profile another one.
    assert socket_places(deep)[0] == [place]
    assert socket_places(new_home(tmp_path / ("y" * LONGEST_PATH)))[0] != [place]


def test_the_folder_that_the_system_has_for_it(
    temporary: Path, deep: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = temporary / "runtime"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    first, second = socket_places(deep)[0]
    assert (first.parent, second.parent) == (runtime, temporary / OWN)
    for mode in (0o701, 0o770, 0o777):
        runtime.chmod(mode)
        places, refused = socket_places(deep)
        assert [place.parent for place in places] == [temporary / OWN]
        assert (refused[-1].problem, refused[-1].path) == (FileProblem.NOT_PRIVATE, runtime)
    for nowhere, problem in (("gone", FileProblem.NOT_READABLE), ("file", FileProblem.NOT_PRIVATE)):
        (temporary / "file").touch()
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(temporary / nowhere))
        assert socket_places(deep)[1][-1].problem is problem
    monkeypatch.setenv("XDG_RUNTIME_DIR", "runtime")
    assert len(socket_places(deep)[1]) == 1


def test_a_folder_that_somebody_else_made_first_is_not_used(temporary: Path, deep: Home) -> None:
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    own = temporary / OWN
    # The owner of a symbolic link can redirect it later, though it leads to our own folder now.
    own.symlink_to(elsewhere)
    places, refused = socket_places(deep)
    assert places == []
    assert (refused[-1].problem, refused[-1].path) == (FileProblem.NOT_PRIVATE, own)
    own.unlink()
    own.mkdir()
    own.chmod(0o777)
    assert socket_places(deep)[1][-1].problem is FileProblem.NOT_PRIVATE
    own.rmdir()
    own.touch()
    assert socket_places(deep)[1][-1].problem is FileProblem.NOT_PRIVATE


@pytest.mark.skipif(files.own_ids()[0] != 0, reason="only root can give folders away")
def test_folders_of_another_user_are_not_used(
    temporary: Path, deep: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime, own = temporary / "runtime", temporary / OWN
    for folder in (runtime, own):
        folder.mkdir(mode=0o700)
        os.chown(folder, 65534, 65534)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    places, refused = socket_places(deep)
    assert places == []
    assert [each.problem for each in refused[1:]] == [FileProblem.NOT_OURS] * 2
    own.rmdir()
    os.chown(temporary, 65534, 65534)
    assert socket_places(deep)[1][-1].path == temporary
    assert not own.exists()


def test_no_folder_is_made_where_others_can_rename_it(temporary: Path, deep: Home) -> None:
    temporary.chmod(0o777)
    places, refused = socket_places(deep)
    assert places == []
    assert (refused[-1].problem, refused[-1].path) == (FileProblem.NOT_PRIVATE, temporary)
    assert not (temporary / OWN).exists()
    # A folder of our own that nobody else can write to needs no sticky bit.
    temporary.chmod(0o700)
    assert len(socket_places(deep)[0]) == 1
