"""Linux and Windows at one table, and their verdicts."""

from __future__ import annotations

import pytest

from tests.lan import box
from tests.wine import windows
from tests.wine.scenarios import SCENARIOS


@pytest.mark.skipif(bool(windows.WHY_NOT), reason=windows.WHY_NOT)
@pytest.mark.parametrize("name", SCENARIOS)
def test_linux_and_windows_play(name: str) -> None:
    box.play("tests.wine.scenarios", name)
