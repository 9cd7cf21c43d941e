"""`lanuno open`: what it opens, and what it says where no window can be opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.usefixtures("no_display")
def test_without_a_display_the_verifier_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["open", "game.lanuno"]) == ExitCode.NO_WINDOW
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("lanuno verify game.lanuno\n")


@pytest.mark.parametrize("name", ["game.lanuno", "-x.lanuno", "missing/game.lanuno"])
def test_the_window_gets_the_whole_path(
    name: str, windows: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window that opens it may run in another folder. Only the window reads the file."""
    monkeypatch.chdir(tmp_path)
    assert main(["open", "--", name]) == ExitCode.OK
    assert main(["open", str(tmp_path / name)]) == ExitCode.OK
    assert windows == [["open", str(tmp_path / name)]] * 2


def test_a_file_without_a_name_is_refused(windows: list[list[str]]) -> None:
    assert main(["open", ""]) == ExitCode.USAGE
    assert windows == []
