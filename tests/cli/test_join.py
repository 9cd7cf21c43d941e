"""`lanuno join`: which places it accepts, and what it opens."""

from __future__ import annotations

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.usefixtures("no_display")
def test_without_a_display_the_bot_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["join", "R2M-021-850"]) == ExitCode.NO_WINDOW
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("lanuno bot R2M-021-850\n")


def test_no_window_is_opened_for_what_is_no_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["join", "nowhere"]) == ExitCode.USAGE
    assert "nowhere" in capsys.readouterr().err
