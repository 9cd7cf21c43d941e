"""Tables are the same every time, down to the cards: nothing is sealed with what is by chance."""

from __future__ import annotations

import pytest

from tests.harness.log_table.boxes import seal


@pytest.fixture(autouse=True)
def _boxes_without_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("seat_keys", "hand_keys"):
        monkeypatch.setattr(f"lanuno.table.replica.{module}.seal", seal)
