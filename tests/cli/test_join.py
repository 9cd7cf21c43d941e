"""`lanuno join`: which places it accepts, and what it opens."""

from __future__ import annotations

import json

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery.table_link import TableLink

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.usefixtures("no_display")
def test_without_a_display_the_bot_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["join", "R2M-021-850"]) == ExitCode.NO_WINDOW
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("lanuno bot R2M-021-850\n")


def test_an_invalid_place_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["join", "nowhere"]) == ExitCode.USAGE
    assert "nowhere" in capsys.readouterr().err


def test_the_window_gets_the_link_as_it_was_written(
    windows: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    link = TableLink("192.168.1.20", 47474, bytes(16), fingerprint(bytes(32)))
    assert main(["join", str(link)]) == ExitCode.OK
    assert windows == [["join", str(link)]]


@pytest.mark.parametrize(
    ("where", "problem"), [("nowhere", "error.where"), ("lanuno://x", "error.link")]
)
def test_an_invalid_place_opens_no_window(
    where: str, problem: str, windows: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["join", where, "--json"]) == ExitCode.USAGE
    assert json.loads(capsys.readouterr().out)["error"]["id"] == problem
    assert windows == []
