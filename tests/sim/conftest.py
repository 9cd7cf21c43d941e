"""Allow only documented errors in every simulated table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness.node_world.documented import documented


@pytest.fixture(autouse=True)
def _documented_errors_only() -> Iterator[None]:
    with documented():
        yield
