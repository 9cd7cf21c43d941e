"""Make every table reproducible, down to the cards: sealing uses no real randomness."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness.log_table.boxes import without_chance


@pytest.fixture(autouse=True)
def _boxes_without_chance() -> Iterator[None]:
    with without_chance():
        yield
