"""One nursery for all tables of a test run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cheats.nursery import Nursery, nursery


@pytest.fixture(scope="session")
def programs() -> Iterator[Nursery]:
    """Where programs are started."""
    with nursery() as ours:
        yield ours
