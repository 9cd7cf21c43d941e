"""`lanuno open`: what it opens, and what it says where no window can be opened."""

from __future__ import annotations

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
