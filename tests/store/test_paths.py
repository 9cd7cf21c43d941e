"""The paths on disk, and the lock on a profile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from tests.harness.systems import is_private, not_on_windows


def test_one_folder_holds_everything(tmp_path: Path) -> None:
    home = Home.at(tmp_path / "h")
    home.create()
    table = bytes(32)
    for path in (home.identity, home.profile, home.settings, home.log, home.transcript(table)):
        assert path.is_relative_to(tmp_path / "h")
    assert home.sidecar(table).parent == home.private
    assert home.transcript(table).name == "00" * 32 + ".lanuno"


@not_on_windows("everything is in one folder of its own")
def test_the_default_follows_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    home = Home.default()
    assert home.identity == tmp_path / "data" / "lanuno" / "private" / "identity"
    assert home.settings == tmp_path / "config" / "lanuno" / "settings.json"
    assert home.log == tmp_path / "state" / "lanuno" / "lanuno.log"
    assert not (tmp_path / "data").exists()


def test_a_relative_folder_does_not_move_with_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = Home.at(Path("h"))
    monkeypatch.chdir("/")
    assert home.data == tmp_path / "h"


@not_on_windows("folders have no mode")
def test_a_folder_given_by_the_user_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "h"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    Home.at(folder).create()
    assert folder.stat().st_mode & 0o777 == 0o755
    assert is_private(Home.at(folder).private)


@not_on_windows("folders have no mode")
def test_an_open_private_folder_is_refused(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.create()
    home.private.chmod(0o755)
    with pytest.raises(StoreError) as caught:
        home.create()
    assert caught.value.problem is FileProblem.NOT_PRIVATE
    assert caught.value.path == home.private


def test_the_lock_is_for_one_program(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.create()
    other = (
        "import sys, pathlib\n"
        "from lanuno.store.paths import Home\n"
        "with Home.at(pathlib.Path(sys.argv[1])).locked():\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", other, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).resolve().parents[2],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"held"
        with pytest.raises(StoreError) as caught, home.locked():
            pass
        assert caught.value.problem is FileProblem.IN_USE
        process.kill()  # a lock ends with its holder, even after a crash
        process.wait()
        with home.locked(), pytest.raises(StoreError), home.locked():
            pass
    with home.locked():
        pass
