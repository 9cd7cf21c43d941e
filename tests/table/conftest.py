"""Make every table reproducible, down to the cards: sealing uses no real randomness."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness.log_table.boxes import deterministic_boxes


@pytest.fixture(autouse=True)
def _deterministic_boxes() -> Iterator[None]:
    with deterministic_boxes():
        yield
