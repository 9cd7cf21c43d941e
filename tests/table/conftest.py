"""Make every table reproducible, down to the cards: sealing uses no real randomness."""

from __future__ import annotations

import pytest

from tests.harness.log_table.boxes import seal


@pytest.fixture(autouse=True)
def _boxes_without_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("seat_keys", "hand_keys"):
        monkeypatch.setattr(f"lanuno.table.replica.{module}.seal", seal)
