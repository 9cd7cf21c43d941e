"""One fork server for all tables of a test run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cheats.fork_server import ForkServer, fork_server


@pytest.fixture(scope="session")
def programs() -> Iterator[ForkServer]:
    """Where programs are started."""
    with fork_server() as ours:
        yield ours
