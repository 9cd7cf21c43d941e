"""A checkout on a fake system, for the tests of the scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.pretended_system import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A checkout on a system where the user is root and apt is missing."""
    return Checkout(tmp_path)
