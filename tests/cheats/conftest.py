"""One fork server for all tables of a test run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cheats.fork_server import ForkServer, fork_server


@pytest.fixture(scope="session")
def programs() -> Iterator[ForkServer]:
    """Yield the fork server that starts the programs."""
    with fork_server() as ours:
        yield ours
