"""Make every simulated table reproducible, and allow only documented errors in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness.log_table.boxes import deterministic_boxes
from tests.harness.node_world.documented import documented


@pytest.fixture(autouse=True)
def _deterministic_boxes() -> Iterator[None]:
    with deterministic_boxes():
        yield


@pytest.fixture(autouse=True)
def _documented_errors_only() -> Iterator[None]:
    with documented():
        yield
