"""Fixtures of the tests that run programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.programs import Room, room


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Room]:
    """A room for the programs of one table."""
    folder = tmp_path / "homes"
    folder.mkdir()
    with room(folder) as here:
        yield here
