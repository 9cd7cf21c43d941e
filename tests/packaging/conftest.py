"""A checkout on a pretended system, for the tests of the scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.pretended_system import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """The user is root, and there is no apt."""
    return Checkout(tmp_path)
